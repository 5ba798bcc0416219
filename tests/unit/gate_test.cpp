// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/journal/journal.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "reports/compare/sides.hpp"
#include "reports/gate/outputs.hpp"
#include "reports/history/history.hpp"
#include "reports/runs/load.hpp"
#include "reports/text/text.hpp"

namespace busbar::test {
namespace {

using gate::Outcome;
using ::testing::HasSubstr;
using ::testing::Not;
using Runs = std::vector<busbar::Run>;
namespace fs = std::filesystem;

CaseRecord a_case(std::uint64_t bytes, double time_s) {
  CaseRecord c{.key = {.collective = "allreduce", .backend = "mpi", .bytes = bytes, .ranks = 2, .cadence = "barrier"}};
  set_bandwidth(c, time_s, 1);
  return c;
}

/// Each launch has its own id, as real ones have.
busbar::Run launch(double small, double large, std::string id = "") {
  static int number = 0;
  if (id.empty()) id = "launch-" + std::to_string(++number);
  busbar::Run run{.path = id + ".jsonl"};
  run.head = {
      .id = id,
      .tool = {.name = "busbar-bench"},
      .ranks = 2,
      .method = {.cadence = "barrier", .rank_rule = RankRule::slowest, .statistic = Statistic::median_of_rounds}};
  run.cases = {a_case(1024, small), a_case(1 << 20, large)};
  return run;
}

/// Three launches around these times, 0.2 % apart.
Runs side(double small, double large) {
  return {launch(small, large), launch(small * 1.002, large * 0.998), launch(small * 0.998, large * 1.002)};
}

struct Judged {
  Runs runs;
  compare::Request request;
  compare::Comparison comparison;
  gate::Gate gate;
};

Judged judge(const Runs& baseline, const Runs& current, double max_regression,
             const compare::ComparisonOptions& options = {}) {
  Judged j{.runs = baseline, .request = compare::between({"a", "b"}, baseline.size(), {})};
  j.runs.insert(j.runs.end(), current.begin(), current.end());
  j.request.options = options;
  j.comparison = compare::compare(j.runs, j.request);
  j.gate = gate::decide(j.comparison, options, max_regression, std::span(j.runs).first(baseline.size()),
                        std::span(j.runs).subspan(baseline.size()));
  return j;
}

compare::Told told(const Judged& j) {
  return {.runs = j.runs, .request = j.request, .comparison = j.comparison, .differences = {}};
}

TEST(Gate, ChecksEachSize) {
  // Twice as fast at one size does not make up for 10 % at the other.
  const auto g = judge(side(1e-6, 1e-4), side(0.5e-6, 1.1e-4), 0.05).gate;
  EXPECT_EQ(g.points.at(0).outcome, Outcome::pass);
  EXPECT_EQ(g.points.at(1).outcome, Outcome::regression);
  EXPECT_NEAR(g.points.at(1).slowdown, 1.1, 0.001);
  EXPECT_EQ(g.outcome(), Outcome::regression);
  EXPECT_EQ(gate::summary(g), "2 points: 1 pass, 1 regression, 0 inconclusive, 0 disturbed");
}

TEST(Gate, PassesAllowedSlowdowns) {
  EXPECT_EQ(judge(side(1e-6, 1e-4), side(1.03e-6, 1.03e-4), 0.05).gate.outcome(), Outcome::pass);
  EXPECT_EQ(judge(side(1e-6, 1e-4), side(1.03e-6, 1.03e-4), 0.01).gate.outcome(), Outcome::regression);
}

TEST(Gate, IsInconclusiveWhenTheIntervalCoversTheLimit) {
  EXPECT_EQ(judge(side(1e-6, 1e-4), side(1.05e-6, 1.05e-4), 0.05).gate.outcome(), Outcome::inconclusive);
}

TEST(Gate, FailsSingleLaunchesOnlyByFarAndPassesThemOnlyIfFaster) {
  EXPECT_EQ(judge({launch(1, 1)}, {launch(1, 1)}, 0.05).gate.outcome(), Outcome::inconclusive);
  EXPECT_EQ(judge({launch(1, 1)}, {launch(2, 2)}, 0.05).gate.outcome(), Outcome::regression);
  EXPECT_EQ(judge({launch(1, 1)}, {launch(0.3, 0.3)}, 0.05).gate.outcome(), Outcome::pass);
}

TEST(Gate, PassesAHigherRate) {
  const compare::ComparisonOptions by_bandwidth{.metric = "busbw"};
  EXPECT_EQ(judge(side(1e-6, 1e-4), side(0.8e-6, 0.8e-4), 0.02, by_bandwidth).gate.outcome(), Outcome::pass);
  const auto slower = judge(side(1e-6, 1e-4), side(1.2e-6, 1.2e-4), 0.02, by_bandwidth).gate;
  EXPECT_EQ(slower.outcome(), Outcome::regression);
  EXPECT_NEAR(slower.points[0].slowdown, 1.2, 0.001);
}

TEST(Gate, FailsOnWrongDataAndReportsMissingCases) {
  Runs current = side(1e-6, 1e-4);
  for (auto& run : current) run.cases[1].status = Status::failed, run.cases[1].reason = "wrong data on rank 1";
  const auto wrong = judge(side(1e-6, 1e-4), current, 0.05).gate;
  EXPECT_EQ(wrong.outcome(), Outcome::regression);
  EXPECT_EQ(wrong.unmeasured.at(0).reason, "failed: wrong data on rank 1");
  for (auto& run : current) run.cases.pop_back();
  const auto missing = judge(side(1e-6, 1e-4), current, 0.05).gate;
  EXPECT_EQ(missing.outcome(), Outcome::inconclusive);
  EXPECT_EQ(missing.unmeasured.at(0).reason, "missing");
}

TEST(Gate, JUnit) {
  const std::string xml = gate::junit(judge(side(1e-6, 1e-4), side(1e-6, 1.1e-4), 0.05).gate);
  EXPECT_THAT(xml,
              HasSubstr("<testsuites name=\"busbar gate\" tests=\"2\" failures=\"1\" skipped=\"0\" time=\"0.000\">"));
  EXPECT_THAT(xml, HasSubstr("name=\"1 MiB\" time=\"0.000\"><failure message=\"regression at 1 MiB of allreduce"));
  EXPECT_THAT(xml, HasSubstr("name=\"1 KiB\" time=\"0.000\"><system-out>pass at 1 KiB"));
  EXPECT_LT(xml.find("name=\"1 MiB\""), xml.find("name=\"1 KiB\"")) << "the largest slowdown comes first";
}

Runs contended(Runs runs) {
  for (auto& run : runs)
    for (CaseRecord& c : run.cases) c.contention = Contention{.reasons = {"runnable but not running 53 % of the time"}};
  return runs;
}

TEST(Gate, NeitherPassesNorFailsDisturbedFigures) {
  const auto slower = judge(side(1e-6, 1e-4), contended(side(2e-6, 2e-4)), 0.05);
  EXPECT_EQ(slower.gate.outcome(), Outcome::disturbed);
  EXPECT_EQ(gate::summary(slower.gate), "2 points: 0 pass, 0 regression, 0 inconclusive, 2 disturbed");
  EXPECT_EQ(judge(contended(side(1e-6, 1e-4)), side(0.5e-6, 0.5e-4), 0.05).gate.outcome(), Outcome::disturbed);
  EXPECT_THAT(gate::annotations(slower.gate), HasSubstr("::warning title=allreduce 1 KiB::disturbed at 1 KiB"));
  EXPECT_THAT(gate::junit(slower.gate), HasSubstr("skipped=\"2\""));
}

TEST(Gate, FailsOnARegressionBesideDisturbedPoints) {
  Runs current = side(2e-6, 2e-4);
  for (auto& run : current) run.cases[0].contention = Contention{.reasons = {"waited 53 %"}};
  const auto g = judge(side(1e-6, 1e-4), current, 0.05).gate;
  EXPECT_EQ(g.points.at(0).outcome, Outcome::disturbed);
  EXPECT_EQ(g.points.at(1).outcome, Outcome::regression);
  EXPECT_EQ(g.outcome(), Outcome::regression);
}

TEST(Gate, EscapesTextOfRecords) {
  Runs baseline = side(1e-6, 1e-4), current = side(1e-6, 1.1e-4);
  for (auto* runs : {&baseline, &current})
    for (auto& run : *runs)
      for (CaseRecord& c : run.cases) c.key.collective = "a\"><b>&\n::error::x%0A,:";
  const auto g = judge(baseline, current, 0.05).gate;
  EXPECT_THAT(gate::junit(g), Not(HasSubstr("<b>")));
  const std::string lines = gate::annotations(g);
  EXPECT_EQ(std::ranges::count(lines, '\n'), 1);
  EXPECT_THAT(lines, HasSubstr("%250A%2C%3A 1 MiB::"));
}

TEST(Gate, LimitsAnnotationsToTheTenGitHubShows) {
  Runs baseline = side(1e-6, 1e-4), current = side(1e-6, 1.1e-4);
  for (auto* runs : {&baseline, &current})
    for (auto& run : *runs)
      for (std::uint64_t i = 0; i < 20; ++i) run.cases.push_back(a_case(2048 + i, *run.cases[1].time_s));
  for (auto& run : current) {
    run.cases.push_back(a_case(4096, 1.5e-4));
    run.cases.push_back(a_case(8192, 1.2e-4));
  }
  for (auto& run : baseline)
    for (const std::uint64_t bytes : {std::uint64_t{4096}, std::uint64_t{8192}})
      run.cases.push_back(a_case(bytes, 1e-4));
  const std::string lines = gate::annotations(judge(baseline, current, 0.05).gate);
  EXPECT_EQ(std::ranges::count(lines, '\n'), 10);
  EXPECT_THAT(lines, ::testing::StartsWith("::error title=allreduce 4 KiB::regression at 4 KiB"));
  EXPECT_THAT(lines, HasSubstr("::error title=busbar gate::14 more; see the summary of this step"));
}

TEST(Gate, Json) {
  const auto j = judge(side(1e-6, 1e-4), side(1e-6, 1.1e-4), 0.05);
  const auto json = gate::to_json(j.gate, told(j));
  EXPECT_EQ(json.at("outcome"), "regression");
  EXPECT_EQ(json.at("points").at(1).at("outcome"), "regression");
}

// History

class History : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  /// Writes a record of a launch on that day.
  fs::path record(int day, double time_s) {
    const fs::path file = folder_ / ("in-" + std::to_string(day) + ".jsonl");
    auto run = launch(time_s, 100 * time_s, "run-" + std::to_string(day));
    run.head.start_utc = "2026-01-" + std::to_string(10 + day) + "T02:00:00Z";
    for (CaseRecord& c : run.cases) c.samples_s = {1, 2, 3};
    JournalWriter out(file, true);
    out.write(run.head);
    for (const CaseRecord& c : run.cases) out.write(c);
    return file;
  }

  fs::path folder_ = fs::temp_directory_path() / "busbar-history-test";
};

TEST_F(History, KeepsEachLaunchOnceWithoutSamples) {
  const fs::path kept = history::add(folder_ / "h", record(0, 1e-6));
  EXPECT_EQ(kept.filename(), "run-0.jsonl");
  EXPECT_TRUE(read_journal(kept).cases.at(0).samples_s.empty());
  EXPECT_DOUBLE_EQ(read_journal(kept).cases.at(1).time_s.value(), 1e-4);
  EXPECT_THROW(history::add(folder_ / "h", record(0, 1e-6)), UsageError);
}

TEST_F(History, RefusesARecordWithoutNumbers) {
  JournalWriter(folder_ / "empty.jsonl").write(launch(1, 1).head);
  EXPECT_THROW(history::add(folder_ / "h", folder_ / "empty.jsonl"), UsageError);
}

TEST_F(History, DatesAChange) {
  for (int day = 0; day < 16; ++day)
    history::add(folder_ / "h", record(day, (day < 9 ? 1e-6 : 1.07e-6) * (1 + 0.004 * (day % 3))));
  const Runs runs = report::load(report::record_files({(folder_ / "h").string()}), Detail::figures);
  auto ordered = runs;
  std::ranges::sort(ordered, {}, [](const auto& r) { return *r.head.start_utc; });
  const auto changes = history::changes(report::pointers(ordered));
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].since, "2026-01-19T02:00:00Z");
  EXPECT_EQ(changes[0].last_before, "2026-01-18T02:00:00Z");
  EXPECT_EQ(changes[0].cases.size(), 2U);
  EXPECT_NEAR(changes[0].cases[0].slowdown.ratio, 1.07, 0.01);
  EXPECT_EQ(changes[0].slower.cases, 2U);
  EXPECT_EQ(changes[0].faster.cases, 0U);
  EXPECT_EQ(history::sentence(changes[0]),
            "Since 2026-01-19T02:00:00Z 2 of 2 cases are slower, median +6.9 % (6.5 to 7.3).");
}

TEST_F(History, GivesADriftNoDate) {
  for (int day = 0; day < 16; ++day) history::add(folder_ / "h", record(day, 1e-6 * (1 + 0.02 * day)));
  Runs ordered = report::load(report::record_files({(folder_ / "h").string()}), Detail::figures);
  std::ranges::sort(ordered, {}, [](const auto& r) { return *r.head.start_utc; });
  const auto changes = history::changes(report::pointers(ordered));
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].kind, ChangeKind::drift);
  EXPECT_THAT(history::sentence(changes[0]), testing::StartsWith("A drift, with no date: 2 of 2 cases are slower"));
}

TEST_F(History, RefusesAFolderWithoutRecords) {
  EXPECT_THROW((void)report::record_files({folder_.string()}), UsageError);
}

}  // namespace
}  // namespace busbar::test
