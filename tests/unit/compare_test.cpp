// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/json.hpp"
#include "core/record/case_record.hpp"
#include "core/record/method.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "reports/compare/comparability.hpp"
#include "reports/compare/document.hpp"
#include "reports/compare/sides.hpp"
#include "reports/compare/text.hpp"
#include "reports/drawing/render.hpp"
#include "tests/unit/catch_error.hpp"
#include "tests/unit/synthetic.hpp"

namespace busbar::test {
namespace {

using Runs = std::vector<busbar::Run>;
using compare::Basis;
using compare::ComparedCase;
using compare::Verdict;
using ::testing::HasSubstr;

constexpr std::uint64_t KiB = 1024;

CaseRecord a_case(std::uint64_t bytes, double time_s) {
  CaseRecord c{.key = allreduce_key(bytes, 2, 1)};
  c.key.cadence = "barrier";
  c.key.group = "world";
  set_bandwidth(c, time_s, 1);
  return c;
}

/// A launch that took `factor` times as long as 10 us for 64 KiB and 100 us for 1 MiB.
Run launch(const std::string& name, double factor, const std::string& start = "") {
  Run run{.path = name + ".jsonl"};
  run.head = {
      .id = name,
      .ranks = 2,
      .nodes = 1,
      .method = {.cadence = "barrier", .rank_rule = RankRule::slowest, .statistic = Statistic::median_of_rounds}};
  if (!start.empty()) run.head.start_utc = start;
  run.cases = {a_case(64 * KiB, factor * 10e-6), a_case(1024 * KiB, factor * 100e-6)};
  return run;
}

Runs launches(std::initializer_list<double> factors) {
  Runs runs;
  for (const double f : factors) runs.push_back(launch("launch" + std::to_string(runs.size()), f));
  return runs;
}

/// Side A: the first half of the runs.
compare::Comparison halves(const Runs& runs, const std::vector<std::string>& across = {},
                           compare::ComparisonOptions options = {}) {
  auto request = compare::between({"a", "b"}, runs.size() / 2, across);
  request.options = options;
  return compare::compare(runs, request);
}

/// A copy, which outlives a comparison without a name.
ComparedCase first_point(const compare::Comparison& c) { return c.sets.at(0).pairs.at(0).points.at(0); }

// Verdicts

TEST(Compare, SlowerAndFaster) {
  const auto runs = launches({1, 1.01, 0.99, 1.2, 1.21, 1.19});
  const auto slower = halves(runs);
  ASSERT_EQ(slower.sets.at(0).pairs.at(0).points.size(), 2U);
  EXPECT_EQ(first_point(slower).verdict, Verdict::slower);
  EXPECT_EQ(first_point(slower).basis, Basis::launches);
  EXPECT_NEAR(first_point(slower).ratio.ratio(), 1.2, 0.001);
  EXPECT_NEAR(compare::slowdown(first_point(slower)), 1.2, 0.001);
  const Runs swapped{runs[3], runs[4], runs[5], runs[0], runs[1], runs[2]};
  EXPECT_EQ(first_point(halves(swapped)).verdict, Verdict::faster);
}

TEST(Compare, CountsMoreBandwidthAsFaster) {
  const auto c = halves(launches({1, 1.01, 0.99, 1.2, 1.21, 1.19}), {}, {.metric = "busbw"});
  EXPECT_EQ(first_point(c).verdict, Verdict::slower);
  EXPECT_NEAR(first_point(c).ratio.ratio(), 1 / 1.2, 0.001);
  EXPECT_NEAR(compare::slowdown(first_point(c)), 1.2, 0.001);
}

TEST(Compare, CallsSidesEqualOnlyWithinTheMargin) {
  const auto close = launches({1, 1.001, 0.999, 1, 1.002, 1.001});
  EXPECT_EQ(first_point(halves(close)).verdict, Verdict::same);
  EXPECT_NE(first_point(halves(close, {}, {.margin = 0.0005})).verdict, Verdict::same);
  const auto scattered = launches({1, 1.1, 0.9, 1, 0.9, 1.1});  // equal means say nothing by themselves
  EXPECT_EQ(first_point(halves(scattered)).verdict, Verdict::inconclusive);
  EXPECT_GT(first_point(halves(scattered)).launches_needed.value(), 50);
}

TEST(Compare, IncludesLaunchVariationInTheInterval) {
  Runs runs = launches({1, 1.15, 0.87, 1.06, 1.2, 0.95});
  for (auto& run : runs) {
    for (CaseRecord& c : run.cases)
      c.interval_s = Interval{.low = *c.time_s * 0.999, .high = *c.time_s * 1.001, .confidence = 0.95};
  }
  const ComparedCase p = first_point(halves(runs));
  EXPECT_EQ(p.verdict, Verdict::inconclusive);  // though each launch is sure of its own figure
  EXPECT_LT(p.interval.low, 0.85);
}

TEST(Compare, AssumesASpreadForSingleLaunches) {
  EXPECT_EQ(first_point(halves(launches({1, 2}))).verdict, Verdict::slower);
  EXPECT_EQ(first_point(halves(launches({1, 2}))).basis, Basis::assumed);
  EXPECT_EQ(first_point(halves(launches({1, 1.2}))).verdict, Verdict::inconclusive);
  EXPECT_EQ(first_point(halves(launches({1, 1.2}), {}, {.launch_spread = 0.03})).verdict, Verdict::slower);
}

// Grades

Runs contended(Runs runs) {
  for (Run& run : runs)
    for (CaseRecord& c : run.cases) c.contention = Contention{.reasons = {"runnable but not running 53 % of the time"}};
  return runs;
}

TEST(Compare, GivesNoVerdictOnDisturbedFigures) {
  const ComparedCase single = first_point(halves(contended(launches({1, 8}))));
  EXPECT_EQ(single.verdict, Verdict::disturbed);
  EXPECT_EQ(compare::verdict_text(single), "disturbed (contention)");
  EXPECT_EQ(compare::grades_text(single), "D and D");
  EXPECT_EQ(first_point(halves(contended(launches({1, 1.01, 0.99, 8, 8.1, 7.9})))).verdict, Verdict::disturbed);
}

TEST(Compare, TakesTheGradeOfTheMiddleLaunch) {
  Runs runs = launches({1, 1.01, 0.99, 2, 2.01, 1.99});
  runs[1] = contended({runs[1]}).front();
  EXPECT_EQ(first_point(halves(runs)).verdict, Verdict::slower);
  runs[0] = contended({runs[0]}).front();
  EXPECT_EQ(first_point(halves(runs)).verdict, Verdict::disturbed);
}

TEST(Compare, TestsDisturbedLaunchesIfTheyAlternate) {
  Runs a, b;
  for (int i = 0; i < 6; ++i) {
    const double wave = 1 + 0.01 * i;
    a.push_back(launch("a" + std::to_string(i), wave, "2026-01-01T00:0" + std::to_string(i) + ":00Z"));
    b.push_back(launch("b" + std::to_string(i), 1.5 * wave, "2026-01-01T00:0" + std::to_string(i) + ":30Z"));
  }
  a.insert(a.end(), b.begin(), b.end());
  const ComparedCase point = first_point(halves(contended(a)));
  EXPECT_EQ(point.basis, Basis::pairs);
  EXPECT_EQ(point.verdict, Verdict::slower);
}

TEST(Compare, AssumesThatDoubtfulLaunchesVaryMore) {
  Runs runs = launches({1, 1.5});
  EXPECT_EQ(first_point(halves(runs)).verdict, Verdict::slower);
  runs[1].head.method.shared_gpu = runs[0].head.method.shared_gpu = true;  // grade C
  EXPECT_EQ(first_point(halves(runs)).verdict, Verdict::inconclusive);
}

TEST(Compare, RefusesALaunchThatIsThereTwice) {
  Runs runs = launches({1, 2});
  runs[1].head.id = runs[0].head.id;
  EXPECT_EQ(test::catch_error([&] { (void)halves(runs); }),
            "launch0.jsonl and launch1.jsonl contain the same launch, launch0: give each launch once, on one side");
}

// Sentences

std::vector<std::string> sentences_of(const Runs& runs, compare::Request request) {
  const auto comparison = compare::compare(runs, request);
  return compare::verdict_sentences({.runs = runs, .request = request, .comparison = comparison, .differences = {}});
}

TEST(Compare, SaysTheVerdictInOneSentence) {
  const auto of = [](const Runs& runs) {
    return sentences_of(runs, compare::between({"a", "b"}, runs.size() / 2, {}));
  };
  Runs runs = launches({1, 1.01, 0.99, 2, 2.01, 1.99});
  EXPECT_EQ(of(runs), std::vector<std::string>{"B vs A at 2 points: slower at 2 (2.00x)."});
  for (std::size_t i = 3; i < 6; ++i) *runs[i].cases[1].time_s *= 2;
  EXPECT_EQ(of(runs), std::vector<std::string>{"B vs A at 2 points: slower at 2 (2.00x at the median, 4.00x at most, 1 "
                                               "MiB of allreduce)."});
  for (std::size_t i = 3; i < 6; ++i) runs[i].cases[0].time_s = runs[i - 3].cases[0].time_s;
  EXPECT_EQ(of(runs),
            std::vector<std::string>{"B vs A at 2 points: slower at 1 (4.00x, 1 MiB of allreduce), 1 inconclusive."});
}

TEST(Compare, SaysWhatToTypeAfterADisturbance) {
  Runs runs = contended(launches({1, 8}));
  for (auto& run : runs) run.head.argv = {"busbar-bench", "allreduce", "--out", "a.jsonl", "-e", "1M"};
  auto request = compare::between({"a", "b"}, 1, {});
  const auto comparison = compare::compare(runs, request);
  EXPECT_EQ(
      compare::measure_again({.runs = runs, .request = request, .comparison = comparison, .differences = {}}),
      "2 of 2 points are disturbed (grade D: contention): no verdict. Measure again on idle CPUs, in alternation: "
      "busbar repeat --launches 5 --out again.jsonl -- mpirun -np 2 busbar-bench allreduce -e 1M -- mpirun -np 2 "
      "busbar-bench allreduce -e 1M");
  for (auto& run : runs) run.head.method.gpus_per_process = 2;
  EXPECT_THAT(compare::measure_again({.runs = runs, .request = request, .comparison = comparison, .differences = {}}),
              HasSubstr("-- mpirun -np 1 busbar-bench allreduce"));
}

TEST(Compare, ShowsNoEqualityByAnAssumedSpread) {
  EXPECT_EQ(first_point(halves(launches({1, 1}), {}, {.launch_spread = 0.001})).verdict, Verdict::inconclusive);
  const ComparedCase bare = first_point(halves(launches({1, 1.5}), {}, {.launch_spread = 0}));
  EXPECT_EQ(bare.verdict, Verdict::inconclusive);
  EXPECT_EQ(compare::verdict_text(bare), "inconclusive (no interval)");
}

/// One of many points deviates by an amount that would be significant for a single point.
TEST(Compare, CorrectsForTheNumberOfPoints) {
  const std::vector<double> a{0.98, 1.00, 1.02}, b{1.04, 1.06, 1.08};
  const auto sweep = [&](std::size_t sizes) {
    Runs runs;
    for (const auto& side : {a, b}) {
      for (const double f : side) {
        auto run = launch("r" + std::to_string(runs.size()), f);
        run.cases.resize(1);
        for (std::size_t i = 1; i < sizes; ++i)
          run.cases.push_back(a_case((64 + i) * KiB, 1e-5 * (f > 1.03 ? f - 0.06 : f)));
        runs.push_back(run);
      }
    }
    return first_point(halves(runs)).verdict;
  };
  EXPECT_EQ(sweep(1), Verdict::slower);
  EXPECT_EQ(sweep(20), Verdict::inconclusive);
}

TEST(Compare, PairsAlternatingLaunches) {
  Runs runs;
  const std::vector<double> drift{1, 1.2, 1.4, 1.6, 1.8};
  for (const double b_over_a : {1.0, 1.05})
    for (std::size_t i = 0; i < drift.size(); ++i)
      runs.push_back(launch("r" + std::to_string(runs.size()), drift[i] * b_over_a * (i % 2 == 0 ? 1.001 : 0.999),
                            "2026-01-01T00:00:" + std::to_string(10 + 2 * i + (b_over_a > 1 ? 1 : 0)) + "Z"));
  const ComparedCase p = first_point(halves(runs));
  EXPECT_EQ(p.basis, Basis::pairs);
  EXPECT_EQ(p.verdict, Verdict::slower);
  for (std::size_t i = 5; i < 10; ++i) runs[i].head.start_utc = "2026-01-02T00:00:0" + std::to_string(i) + "Z";
  EXPECT_EQ(first_point(halves(runs)).basis, Basis::launches);
  EXPECT_EQ(first_point(halves(runs)).verdict, Verdict::inconclusive);
}

/// Six launches per side. Launches on slow CPUs take 20 % longer; B takes 5 % longer.
Runs paced_launches() {
  Runs runs;
  const std::vector<bool> slow{false, true, false, false, true, false, true, true, false, true, false, true};
  for (std::size_t i = 0; i < slow.size(); ++i) {
    runs.push_back(
        launch("r" + std::to_string(i), (slow[i] ? 1.2 : 1) * (i < 6 ? 1 : 1.05) * (i % 2 == 0 ? 1.001 : 0.999)));
    runs.back().head.hosts = {Host{.name = "node0"}};
    for (CaseRecord& c : runs.back().cases)
      c.paced = PacedTime{.time_s = 1.01 * *c.time_s, .pace_s = (slow[i] ? 2e-6 : 1e-6) * (i % 3 == 0 ? 1.01 : 1)};
  }
  return runs;
}

TEST(Compare, AdjustsForPaceOnTheSameHosts) {
  Runs runs = paced_launches();
  const ComparedCase p = first_point(halves(runs));
  EXPECT_EQ(p.verdict, Verdict::slower);
  EXPECT_NEAR(p.ratio.ratio(), 1.05, 0.005);
  EXPECT_NEAR(p.ratio.pace->ratio, std::pow(2, 2.0 / 6), 0.01);
  EXPECT_NEAR(p.ratio.pace->exponent, std::log2(1.2), 0.02);
  const ComparedCase bandwidth = first_point(halves(runs, {}, {.metric = "busbw"}));
  EXPECT_NEAR(bandwidth.ratio.ratio(), 1 / 1.05, 0.005);
  const ComparedCase measured = first_point(halves(runs, {}, {.as_measured = true}));
  EXPECT_FALSE(measured.ratio.pace);
  EXPECT_EQ(measured.verdict, Verdict::inconclusive);
}

TEST(Compare, IgnoresPaceAcrossHostsOrWithFewLaunches) {
  Runs runs = paced_launches();
  runs[3].head.hosts[0].name = "node1";
  EXPECT_FALSE(first_point(halves(runs)).ratio.pace);
  for (busbar::Run& run : runs) run.head.hosts.clear();
  EXPECT_FALSE(first_point(halves(runs)).ratio.pace);
  runs = paced_launches();
  runs.erase(runs.begin());
  runs.pop_back();
  EXPECT_FALSE(first_point(halves(runs)).ratio.pace);
}

TEST(Compare, IgnoresFailedCases) {
  auto runs = launches({1, 2});
  runs[1].cases[0].status = Status::failed;
  const auto c = halves(runs);
  EXPECT_EQ(c.sets.at(0).pairs.at(0).points.size(), 1U);
  EXPECT_EQ(c.sets.at(0).pairs.at(0).only_a, 1U);
}

TEST(Compare, ComparesTrainingsByRate) {
  auto runs = launches({1, 1});
  for (auto& run : runs) {
    run.cases.resize(1);
    run.cases[0].key.training = TrainingKey{.compute = "replay", .batch = 1024};
    run.cases[0].training = Training{.samples_per_s = &run == &runs[0] ? 10818 : 10675.0925};
  }
  const auto c = halves(runs);
  EXPECT_EQ(first_point(c).quantity->name, "rate");
  EXPECT_NEAR(first_point(c).ratio.ratio(), 0.98679, 1e-5);
  EXPECT_EQ(compare::value_text(first_point(c), 10818), "10818 images/s");
}

// Comparability

TEST(Compare, RefusesDifferentMethods) {
  auto runs = launches({1, 1});
  runs[1].head.method.rank_rule = RankRule::mean;
  EXPECT_EQ(catch_error([&] { halves(runs); }),
            "cannot compare launch0.jsonl with launch1.jsonl: rank_rule is slowest in one and mean in "
            "the other; to compare them anyway, add --across rank_rule");
  EXPECT_EQ(halves(runs, {"rank_rule"}).sets.size(), 1U);
}

TEST(Compare, ComparesEveryFieldOfTheMethod) {
  const std::vector<std::pair<std::string, std::function<void(Method&)>>> changes{
      {"rank_rule", [](Method& m) { m.rank_rule = RankRule::mean; }},
      {"size_rule", [](Method& m) { m.size_rule = "per_rank"; }},
      {"statistic", [](Method& m) { m.statistic = Statistic::mean; }},
      {"warmup", [](Method& m) { m.warmup_iterations = 9; }},
      {"clock", [](Method& m) { m.clock = "cuda_events"; }},
      {"graph", [](Method& m) { m.graph_calls = 10; }},
      {"comm_split", [](Method& m) { m.split_communicators = true; }},
      {"gpus_per_process", [](Method& m) { m.gpus_per_process = 8; }},
      {"launch", [](Method& m) { m.gpu_launch = "threads"; }},
      {"nonblocking", [](Method& m) { m.nonblocking_calls = true; }},
      {"registered", [](Method& m) { m.registered_buffers = true; }},
      {"share_gpu", [](Method& m) { m.shared_gpu = true; }},
      {"settled", [](Method& m) { m.settled = false; }},
      {"buffers", [](Method& m) { m.buffers = BufferPlace{.send_offset_bytes = 64}; }}};
  for (const auto& [field, change] : changes) {
    auto runs = launches({1, 1});
    for (auto& run : runs) {
      run.head.method.warmup_iterations = 5;
      run.head.method.clock = "host";
      run.head.method.gpus_per_process = 1;
      run.head.method.gpu_launch = "group";
      run.head.method.nonblocking_calls = run.head.method.registered_buffers = false;
      run.head.method.settled = true;
      run.head.method.buffers = BufferPlace{};
    }
    change(runs[1].head.method);
    EXPECT_THAT(catch_error([&] { halves(runs); }), HasSubstr("--across " + field));
    EXPECT_EQ(catch_error([&] { halves(runs, {field}); }), "no error") << field;
  }
}

TEST(Compare, RefusesALabAgainstACluster) {
  auto runs = launches({1, 1});
  runs[1].head.hosts = {{.name = "node0", .lab = "1 of 2 hosts on one machine, link rate 1gbit"}};
  EXPECT_THAT(catch_error([&] { halves(runs); }), HasSubstr("--across lab"));
}

TEST(Compare, RefusesSimulatedAgainstMeasured) {
  auto runs = launches({1, 1});
  runs[1].head.origin = Origin::simulated;
  EXPECT_THAT(catch_error([&] { halves(runs); }), HasSubstr("simulated is no in one and yes in the other"));
}

TEST(Compare, NotesUnknownFacts) {
  auto runs = launches({1, 1});
  runs[1].head.method.warmup_iterations = 5;
  EXPECT_THAT(halves(runs).notes,
              ::testing::ElementsAre(HasSubstr("warmup is unknown for launch0.jsonl and 5 for launch1.jsonl")));
}

TEST(Compare, NamesAMetricThatNoCaseHas) {
  const auto runs = launches({1, 1});
  EXPECT_THAT(catch_error([&] { halves(runs, {}, {.metric = "rate"}); }),
              HasSubstr("have no case with rate on both sides"));
}

TEST(Compare, NamesTheFieldInWhichKeysDiffer) {
  auto runs = launches({1, 1});
  for (CaseRecord& c : runs[1].cases) c.key.memory = "device";
  EXPECT_THAT(catch_error([&] { halves(runs); }),
              HasSubstr("no case in common; the closest cases differ in memory (host vs device)"));
  EXPECT_EQ(first_point(halves(runs, {"memory"})).key.memory, std::nullopt);
  for (CaseRecord& c : runs[1].cases) c.key.ranks = 4, c.key.nodes = 2;
  EXPECT_THAT(catch_error([&] { halves(runs, {"memory"}); }), HasSubstr("differ in topology (1 x 2 vs 2 x 2)"));
}

TEST(Compare, AcceptsOnlyKnownFieldsAcross) {
  EXPECT_THAT(catch_error([] { compare::check_across({"colour"}); }),
              HasSubstr("--across: unknown 'colour'; known: cadence"));
  compare::check_across({"cadence", "memory", "share_gpu"});
}

// By a label or a fact

Runs labelled(std::initializer_list<std::pair<std::string, double>> platforms) {
  Runs runs;
  for (const auto& [platform, factor] : platforms) {
    runs.push_back(launch("r" + std::to_string(runs.size()), factor));
    runs.back().head.labels["platform"] = platform;
  }
  return runs;
}

compare::Comparison by(const std::string& name, const Runs& runs, const std::vector<std::string>& pool = {}) {
  return compare::compare(runs, compare::by(name, runs, pool, {}));
}

TEST(CompareBy, MakesASideOfEachLabelValue) {
  const auto runs =
      labelled({{"vm", 1.5}, {"metal", 1}, {"vm", 1.51}, {"metal", 1.01}, {"vm", 1.49}, {"cloud", 3}, {"cloud", 3.03}});
  const auto c = by("platform", runs);
  ASSERT_EQ(c.sets.size(), 1U);
  EXPECT_EQ(c.sets[0].sides, (std::vector<std::string>{"cloud", "metal", "vm"}));
  ASSERT_EQ(c.sets[0].pairs.size(), 3U);
  EXPECT_EQ(c.sets[0].pairs[0].count(Verdict::faster), 2U);  // metal against cloud
  EXPECT_EQ(c.sets[0].pairs[2].count(Verdict::slower), 2U);  // vm against metal
  EXPECT_EQ(compare::extent_text(c.sets[0].pairs[2], Verdict::slower).substr(0, 20), "2 (64 KiB to 1 MiB):");
  EXPECT_EQ(
      sentences_of(runs, compare::by("platform", runs, {}, {})),
      std::vector<std::string>{"allreduce: mpi, host memory, fp32, sum, 2 ranks on 1 node, barrier cadence: metal is "
                               "fastest at 2 of 2 points (proven at 2)."});
}

TEST(CompareBy, ComparesWithAReferenceAlone) {
  const auto runs = labelled({{"vm", 1.5}, {"metal", 1}, {"vm", 1.51}, {"metal", 1.01}, {"vm", 1.49}, {"cloud", 3}});
  const auto request = compare::by("platform", runs, {}, {}, "metal");
  const auto c = compare::compare(runs, request);
  EXPECT_EQ(c.sets[0].sides, (std::vector<std::string>{"metal", "cloud", "vm"}));
  ASSERT_EQ(c.sets[0].pairs.size(), 2U);
  EXPECT_THAT(sentences_of(runs, request)[0],
              HasSubstr("barrier cadence: cloud vs metal at 2 points: slower at 2 (2.99x). vm vs metal at 2 points: "));
  const auto tables = compare::cost_tables(c.sets[0]);
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_THAT(tables[0].title, HasSubstr("; time against metal"));
  ASSERT_EQ(tables[0].rows.size(), 2U);
  EXPECT_EQ(tables[0].rows[0][0], "64 KiB");
  EXPECT_EQ(tables[0].rows[0][1], "10 us");
  EXPECT_THAT(tables[0].rows[0][2], ::testing::StartsWith("+199 % (+"));
  EXPECT_THAT(tables[0].rows[1][3], ::testing::MatchesRegex(R"(\+49\.3 % \(\+4[0-9.]+ to \+5[0-9.]+\))"));
  const auto overview = compare::cost_overview({.runs = runs, .request = request, .comparison = c, .differences = {}});
  EXPECT_EQ(overview.rows, (std::vector<std::vector<std::string>>{
                               {"allreduce, 2 ranks on 1 node", "2", "+199 %; slower", "+49.3 %; slower"}}));
  EXPECT_EQ(catch_error([&] { (void)compare::by("platform", runs, {}, {}, "metl"); }),
            "--reference: unknown side 'metl'; known: cloud, metal, vm; did you mean 'metal'?");
}

TEST(CompareBy, MarksCostsThatAreNoDifference) {
  const auto cells = [](std::initializer_list<std::pair<std::string, double>> platforms) {
    const auto runs = labelled(platforms);
    const auto c = compare::compare(runs, compare::by("platform", runs, {}, {}, "metal"));
    return compare::cost_tables(c.sets[0])[0].rows[0][2];
  };
  EXPECT_THAT(cells({{"metal", 1}, {"metal", 1.001}, {"vm", 1.001}, {"vm", 1.002}}), ::testing::EndsWith(") ="));
  EXPECT_THAT(cells({{"metal", 1}, {"metal", 1.5}, {"vm", 1.2}, {"vm", 1.4}}), ::testing::EndsWith(") ?"));
}

TEST(CompareBy, PutsScalesInOrder) {
  auto runs = labelled({{"vm", 1}, {"metal", 1}, {"vm", 1}, {"metal", 1}, {"vm", 1}, {"metal", 1}});
  const std::vector<int> ranks{16, 16, 4, 4, 8, 8};
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (CaseRecord& c : runs[i].cases) c.key.ranks = ranks[i];
  std::vector<int> in_order;
  for (const auto& set : by("platform", runs).sets) in_order.push_back(set.pairs[0].points[0].key.ranks);
  EXPECT_EQ(in_order, (std::vector<int>{4, 8, 16}));
}

TEST(CompareBy, NamesALaunchThatIsLeftOutOnce) {
  Runs runs;
  for (const std::string platform : {"cloud", "metal", "vm"})
    for (const double factor : {1.0, 1.001, 0.999, 1.002, 1.0, 1.5}) {
      runs.push_back(launch(platform + std::to_string(runs.size()), platform == "vm" || factor < 1.4 ? factor : 1));
      runs.back().head.labels["platform"] = platform;
    }
  const auto request = compare::by("platform", runs, {}, {});
  const auto c = compare::compare(runs, request);
  EXPECT_THAT(
      compare::outlying_sentences({.runs = runs, .request = request, .comparison = c, .differences = {}}),
      ::testing::ElementsAre(HasSubstr("vm17.jsonl of vm is left out at 2 of 2 points: its time is 1.50 times")));
}

TEST(CompareBy, NamesTheFarthestOfManyLaunches) {
  Runs runs;
  for (int ranks = 2; ranks < 14; ++ranks)
    for (const std::string platform : {"metal", "vm"})
      for (const double factor : {1.0, 1.001, 0.999, 1.002, 1.0, 1 + ranks / 10.0}) {
        const bool odd = platform == "vm" && factor > 1.1;
        runs.push_back(
            launch(platform + (odd ? "-odd-" : "-") + std::to_string(runs.size()), odd || factor < 1.1 ? factor : 1));
        runs.back().head.labels["platform"] = platform;
        for (CaseRecord& each : runs.back().cases) each.key.ranks = ranks;
      }
  const auto request = compare::by("platform", runs, {}, {});
  const auto c = compare::compare(runs, request);
  const auto said = compare::outlying_sentences({.runs = runs, .request = request, .comparison = c, .differences = {}});
  ASSERT_EQ(said.size(), 11U);
  EXPECT_THAT(said[0], HasSubstr("is left out at 2 of 2 points of allreduce: its time is 1.40 times"));
  EXPECT_EQ(said[10],
            "2 more launches are left out at a quarter of the points or more: 1.20 to 1.30 times the others.");
}

TEST(CompareBy, JoinsRunsWithEqualOtherLabels) {
  auto runs = labelled({{"vm", 1.5}, {"metal", 1}, {"vm", 9}, {"metal", 5}});
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i].head.labels["network"] = i < 2 ? "hdr" : "tcp";
  EXPECT_EQ(by("platform", runs).sets.size(), 2U);
  EXPECT_THAT(by("platform", runs).sets[0].title, HasSubstr("network=hdr; allreduce"));
  EXPECT_EQ(by("platform", runs, {"network"}).sets.size(), 1U);
}

TEST(CompareBy, SplitsByKeysFactsLibrariesAndVariables) {
  auto runs = launches({1, 2});
  for (CaseRecord& c : runs[1].cases) c.key.algorithm = "ring";
  EXPECT_EQ(by("algorithm", runs).sets[0].sides, (std::vector<std::string>{"library's choice", "ring"}));
  runs = launches({1, 2});
  for (CaseRecord& c : runs[1].cases) c.key.nodes = 2, c.key.ranks_per_node = 1;
  EXPECT_EQ(by("topology", runs).sets[0].sides, (std::vector<std::string>{"1 x 2", "2 x 1"}));
  runs = launches({1, 2});
  runs[0].head.hosts = {{.name = "a", .virtualisation = "KVM"}};
  runs[1].head.hosts = {{.name = "a", .virtualisation = "bare metal"}};
  runs[0].head.libraries = {{"nccl", "2.27.7"}}, runs[1].head.libraries = {{"nccl", "2.28.3"}};
  runs[0].head.environment = {{"NCCL_ALGO", "Ring"}}, runs[1].head.environment = {{"NCCL_ALGO", "Tree"}};
  EXPECT_EQ(by("virtualisation", runs).sets[0].sides, (std::vector<std::string>{"bare metal", "KVM"}));
  EXPECT_EQ(by("nccl", runs).sets[0].sides, (std::vector<std::string>{"2.27.7", "2.28.3"}));
  EXPECT_EQ(by("NCCL_ALGO", runs).sets[0].sides, (std::vector<std::string>{"Ring", "Tree"}));
}

TEST(CompareBy, SortsNumbers) {
  const auto runs = labelled({{"10", 1}, {"9", 1}, {"100", 1}});
  EXPECT_EQ(by("platform", runs).sets[0].sides, (std::vector<std::string>{"9", "10", "100"}));
}

TEST(CompareBy, NeedsTwoValuesOfAKnownName) {
  const auto runs = labelled({{"vm", 1}, {"vm", 1}});
  EXPECT_EQ(catch_error([&] { by("platform", runs); }), "--by: all cases have the same platform: vm");
  EXPECT_THAT(catch_error([&] { by("weather", runs); }),
              HasSubstr("--by: no run has 'weather' as a label, library or variable"));
}

// Output

compare::Told told_of(const Runs& runs, const compare::Request& request, const compare::Comparison& c) {
  return {.runs = runs, .request = request, .comparison = c, .differences = compare::differences(runs, request)};
}

TEST(CompareOutput, ListsRelevantEnvironmentDifferencesFirst) {
  auto runs = launches({1, 1});
  runs[0].head.hosts = {{.name = "a", .kernel = "5.15", .virtualisation = "KVM", .gpu_driver = "535"}};
  runs[1].head.hosts = {{.name = "a", .kernel = "6.1", .virtualisation = "bare metal", .gpu_driver = "550"}};
  runs[1].head.environment = {{"NCCL_ALGO", "Tree"}};
  const auto found = compare::differences(runs, compare::between({"a", "b"}, 1, {}));
  std::vector<std::string> names;
  for (const auto& d : found) names.push_back(d.name);
  EXPECT_EQ(names, (std::vector<std::string>{"virtualisation", "gpu_driver", "NCCL_ALGO", "kernel"}));
  EXPECT_EQ(found[2].values, (std::vector<std::string>{"not set", "Tree"}));
}

TEST(CompareOutput, ListsAssumptionsAndAllowedDifferences) {
  auto runs = launches({1, 2});
  runs[1].head.method.rank_rule = RankRule::mean;
  const auto request = compare::between({"a.jsonl", "b.jsonl"}, 1, {"rank_rule"});
  const auto c = compare::compare(runs, request);
  const std::string text = report::render_text(compare::document(told_of(runs, request, c), true), {.width = 400});
  EXPECT_THAT(text, HasSubstr("may differ in rank_rule (--across)"));
  EXPECT_THAT(text, HasSubstr("ASSUMED to be 10 %"));
  EXPECT_THAT(text, HasSubstr("equivalence cannot be shown"));
  EXPECT_THAT(text, HasSubstr("2 points: 2 slower, 0 faster, 0 same within 2 %, 0 inconclusive"));
}

TEST(CompareOutput, EscapesTextFromRecords) {
  auto runs = labelled({{"vm\033[31m", 1}, {"metal\r\nx", 2}});
  const auto request = compare::by("platform", runs, {}, {});
  const auto c = compare::compare(runs, request);
  const std::string text = report::render_text(compare::document(told_of(runs, request, c), true), {});
  EXPECT_EQ(text.find('\033'), std::string::npos);
  EXPECT_EQ(text.find('\r'), std::string::npos);
}

TEST(CompareOutput, Json) {
  const auto runs = launches({1, 1.01, 0.99, 1.2, 1.21, 1.19});
  const auto request = compare::between({"a", "b"}, 3, {});
  const auto c = compare::compare(runs, request);
  const auto j = compare::to_json(told_of(runs, request, c));
  const auto& point = j.at("sets").at(0).at("pairs").at(0).at("points").at(0);
  EXPECT_EQ(point.at("verdict"), "slower");
  EXPECT_EQ(point.at("unit"), "s");
  EXPECT_EQ(point.at("a").at("launches").size(), 3U);
  EXPECT_EQ(point.at("id"), to_string(runs[0].cases[0].key));
  EXPECT_NEAR(point.at("ratio").get<double>(), 1.2, 0.001);
}

TEST(RenderText, FitsTheTerminal) {
  const report::Document d{.chapters = {{.blocks = {report::Table{.columns = {{"a", report::ColumnKind::number}, {"b"}},
                                                                  .rows = {{"1", std::string(300, 'x') + " y"},
                                                                           {"2",
                                                                            "some words that have to be broken in "
                                                                            "two lines or three"}}}}}}};
  const std::string text = report::render_text(d, {.width = 40});
  EXPECT_THAT(text, HasSubstr("  2  some words that have to be broken"));
  EXPECT_THAT(text, HasSubstr("\n     in two lines or three\n"));
}

}  // namespace
}  // namespace busbar::test
