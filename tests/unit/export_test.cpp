// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include <gtest/gtest.h>

#include "core/base/json.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "reports/export/exporter.hpp"

namespace busbar::test {
namespace {

CaseRecord measured(std::uint64_t bytes, int samples) {
  CaseRecord c{.key = {.collective = "allreduce", .backend = "mpi", .memory = "host", .bytes = bytes, .ranks = 2}};
  for (int i = 0; i < samples; ++i) c.samples_s.push_back(1e-6 * (i + 1));
  c.statistics = summarise(c.samples_s);
  c.samples_taken = static_cast<std::uint64_t>(samples);
  set_bandwidth(c, c.statistics->median_s, 1);
  c.check.state = CheckState::passed;
  return c;
}

busbar::Run run_of(std::vector<CaseRecord> cases) {
  busbar::Run run{.path = "x.jsonl", .head = {.id = "run-1", .tool = {.name = "busbar-bench"}, .method = {}}};
  run.head.method.rank_rule = RankRule::slowest;
  run.cases = std::move(cases);
  return run;
}

std::string exported(std::string_view format, const busbar::Run& run, ExportOptions options = {}) {
  return try_find<Exporter>(format)->write(run, options);
}

nlohmann::json google(const busbar::Run& run, ExportOptions options = {}) {
  return nlohmann::json::parse(exported("google-benchmark", run, options));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(GoogleBenchmark, WritesASampleAsARepetition) {
  const auto list = google(run_of({measured(8, 12)})).at("benchmarks");
  ASSERT_EQ(list.size(), 12U + 4);  // mean, median, stddev, cv
  const auto& third = list[2];
  EXPECT_EQ(third.at("name"), "allreduce/mpi/host/ranks:2/nodes:?/?/bytes:8");
  EXPECT_EQ(third.at("run_type"), "iteration");
  EXPECT_EQ(third.at("repetitions"), 12);
  EXPECT_EQ(third.at("repetition_index"), 2);
  EXPECT_EQ(third.at("iterations"), 1);
  EXPECT_DOUBLE_EQ(third.at("real_time"), 3000);
  EXPECT_EQ(third.at("time_unit"), "ns");
}

TEST(GoogleBenchmark, AggregatesAllSamples) {
  const auto list = google(run_of({measured(8, 12)}), {.max_repetitions = 4}).at("benchmarks");
  ASSERT_EQ(list.size(), 4U + 4);
  EXPECT_EQ(list[4].at("name"), "allreduce/mpi/host/ranks:2/nodes:?/?/bytes:8_mean");
  EXPECT_DOUBLE_EQ(list[4].at("real_time"), 6500);
  EXPECT_EQ(list[5].at("aggregate_name"), "median");
  EXPECT_DOUBLE_EQ(list[5].at("real_time"), 6500);
  EXPECT_NEAR(list[6].at("real_time").get<double>(), 3605.55, 1e-2);  // of 1 to 12, with n - 1
  EXPECT_EQ(list[7].at("aggregate_unit"), "percentage");
  EXPECT_NEAR(list[7].at("real_time").get<double>(), 3.60555 / 6.5, 1e-5);
  EXPECT_EQ(list[7].at("iterations"), 12);
}

TEST(GoogleBenchmark, PutsTheIntervalBesideTheMedian) {
  CaseRecord c = measured(8, 12);
  c.interval_s = Interval{.low = 6e-6, .high = 7e-6, .confidence = 0.95};
  c.rounds = {{.samples = 6, .median_s = 6e-6}, {.samples = 6, .median_s = 7e-6}};
  c.calls_per_sample = 4;
  const auto list = google(run_of({c})).at("benchmarks");
  EXPECT_EQ(list[0].at("iterations"), 4);
  const auto& of_all = list[13];
  EXPECT_EQ(of_all.at("aggregate_name"), "median");
  EXPECT_DOUBLE_EQ(of_all.at("time_s"), 6.5e-6);
  EXPECT_DOUBLE_EQ(of_all.at("interval_low_s"), 6e-6);
  EXPECT_DOUBLE_EQ(of_all.at("interval_high_s"), 7e-6);
  EXPECT_EQ(of_all.at("rounds"), 2);
}

TEST(GoogleBenchmark, SpreadsThinnedSamplesOverAll) {
  const auto list = google(run_of({measured(8, 10)}), {.max_repetitions = 5}).at("benchmarks");
  std::vector<double> times;
  for (const auto& e : list)
    if (e.at("run_type") == "iteration") times.push_back(e.at("real_time"));
  ASSERT_EQ(times.size(), 5U);
  for (std::size_t i = 0; i < times.size(); ++i) EXPECT_DOUBLE_EQ(times[i], 1000 + 2000.0 * static_cast<double>(i));
}

TEST(GoogleBenchmark, MakesAFamilyOfEachSeries) {
  CaseRecord other = measured(8, 1);
  other.key.collective = "allgather";
  const auto list = google(run_of({measured(8, 1), other, measured(16, 1)})).at("benchmarks");
  ASSERT_EQ(list.size(), 3U);
  EXPECT_EQ(list[0].at("family_index"), list[2].at("family_index"));
  EXPECT_NE(list[0].at("family_index"), list[1].at("family_index"));
  EXPECT_EQ(list[2].at("per_family_instance_index"), 1);
}

TEST(GoogleBenchmark, WritesOneEntryForACaseWithoutSamples) {
  CaseRecord c{.key = {.collective = "reduce", .backend = "nccl", .bytes = 8, .ranks = 2}};
  set_bandwidth(c, 2e-6, 1);
  busbar::Run run = run_of({c});
  run.head.method.iterations = 20;
  run.head.method.aggregated_iterations = 5;
  const auto list = google(run).at("benchmarks");
  ASSERT_EQ(list.size(), 1U);
  EXPECT_DOUBLE_EQ(list[0].at("real_time"), 2000);
  EXPECT_EQ(list[0].at("iterations"), 100);
  EXPECT_DOUBLE_EQ(list[0].at("algbw_GBps"), 0.004);
}

TEST(GoogleBenchmark, WritesAFailedCaseAsAnErrorUnderItsOwnName) {
  CaseRecord c = measured(8, 3);
  c.status = Status::failed;
  c.reason = "wrong data";
  const auto list = google(run_of({c})).at("benchmarks");
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list[0].at("error_occurred"), true);
  EXPECT_EQ(list[0].at("error_message"), "wrong data");
  EXPECT_EQ(list[0].at("name"), to_string(c.key) + "/failed");
}

TEST(GoogleBenchmark, WritesOnlyKnownFactsIntoTheContext) {
  busbar::Run run = run_of({});
  auto context = google(run).at("context");
  EXPECT_FALSE(context.contains("date") || context.contains("num_cpus"));
  EXPECT_EQ(context.at("host_name"), "unknown");
  EXPECT_NE(context.at("busbar_cpu_time").get<std::string>().find("not measured"), std::string::npos);
  run.head.start_utc = "2026-01-31T12:00:00Z";
  run.head.hosts = {{.name = "a", .threads = 4}, {.name = "b"}};
  run.head.labels = {{"platform", "vm"}};
  context = google(run).at("context");
  EXPECT_EQ(context.at("date"), "2026-01-31T12:00:00Z");
  EXPECT_EQ(context.at("host_name"), "a,b");
  EXPECT_EQ(context.at("num_cpus"), 4);
  EXPECT_EQ(context.at("busbar_label_platform"), "vm");
}

TEST(Csv, WritesALinePerCaseWithEqualCells) {
  const auto lines = lines_of(exported("csv", run_of({measured(8, 3), measured(16, 3)})));
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(std::ranges::count(lines[0], ','), std::ranges::count(lines[1], ','));
  EXPECT_EQ(lines[1].substr(0, 40), "run-1,measured,busbar-bench,,collective,");
  EXPECT_NE(lines[0].find(",time_s,"), std::string::npos);
  EXPECT_NE(lines[2].find(",2e-06,"), std::string::npos) << lines[2];
}

TEST(Csv, PutsIntervalsBeforeTheColumnsOfTraining) {
  CaseRecord c = measured(8, 3);
  const std::string without = exported("csv", run_of({c}));
  EXPECT_NE(without.find(",passed,,,,,,,,"), std::string::npos) << without;
  c.interval_s = Interval{.low = 1.5e-6, .high = 2.5e-6, .confidence = 0.95};
  c.rounds = {{.samples = 2, .median_s = 2e-6}, {.samples = 1, .median_s = 2e-6}};
  c.calls_per_sample = 4;
  c.contention.emplace();
  const std::string with = exported("csv", run_of({c}));
  EXPECT_NE(
      with.find(
          ",wrong_elements,interval_low_s,interval_high_s,confidence,rounds,calls_per_sample,contended,parallel,"),
      std::string::npos)
      << with;
  EXPECT_NE(with.find(",passed,,1.5e-06,2.5e-06,0.95,2,4,false,,"), std::string::npos) << with;
}

CaseRecord trained() {
  CaseRecord c{.key = {.kind = CaseKind::training,
                       .collective = "resnet50",
                       .backend = "mpi",
                       .ranks = 2,
                       .training = TrainingKey{.compute = "onednn", .computed_on = "cpu", .batch = 8}},
               .time_s = 1};
  c.training = Training{.samples_per_s = 16, .samples_per_s_interval = Interval{15.5, 16.5, 0.95}};
  c.training->scaling = Scaling{.baseline_ranks = 1, .baseline_samples_per_s = 10, .speed_up = 1.6, .efficiency = 0.8};
  c.training->split =
      StepSplit{.step_s = 1, .forward_s = 0.25, .backward_s = 0.5, .exposed_s = 0.125, .hidden_s = 0.0625};
  return c;
}

TEST(Csv, GivesTrainingsTheirOwnColumns) {
  const auto lines = lines_of(exported("csv", run_of({trained(), measured(8, 3)})));
  EXPECT_NE(lines.at(0).find(",samples_per_s,samples_per_s_low,samples_per_s_high,baseline_ranks,"), std::string::npos);
  EXPECT_NE(
      lines.at(1).find(",data,onednn,cpu,8,1,,weak,packed,,0,1,,image,16,15.5,16.5,1,10,1.6,0.8,,,1,0.25,0.5,0.125,"),
      std::string::npos)
      << lines[1];
  for (const auto& line : lines) EXPECT_EQ(std::ranges::count(line, ','), std::ranges::count(lines[0], ','));
  EXPECT_NE(lines.at(2).find(",,,,,,,,,,,,,,,,,,,"), std::string::npos);
}

TEST(GoogleBenchmark, WritesATrainingAsItsStepWithARateCounter) {
  const auto list = google(run_of({trained()})).at("benchmarks");
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list[0].at("name"), to_string(trained().key));
  EXPECT_DOUBLE_EQ(list[0].at("real_time"), 1e9);
  EXPECT_DOUBLE_EQ(list[0].at("samples_per_s"), 16);
  EXPECT_DOUBLE_EQ(list[0].at("efficiency"), 0.8);
}

TEST(Csv, QuotesCommasQuotesAndLineEnds) {
  CaseRecord c = measured(8, 1);
  c.status = Status::failed;
  c.reason = "rank 1, \"x\"\nis wrong";
  EXPECT_NE(exported("csv", run_of({c})).find(",failed,\"rank 1, \"\"x\"\"\nis wrong\","), std::string::npos);
  for (const char* formula : {"=1+1", "+1", "-1", "@sum"}) {
    c.reason = formula;
    EXPECT_NE(exported("csv", run_of({c})).find(std::string(",failed,'") + formula), std::string::npos) << formula;
  }
}

}  // namespace
}  // namespace busbar::test
