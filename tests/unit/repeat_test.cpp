// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "reports/repeat/launch_budget.hpp"
#include "reports/repeat/measurements.hpp"
#include "reports/repeat/pooled_cases.hpp"
#include "reports/repeat/table.hpp"
#include "reports/repeat/words.hpp"
#include "tests/unit/catch_error.hpp"

namespace busbar::test {
namespace {

using testing::ElementsAre, testing::HasSubstr;
using Commands = std::vector<repeat::Words>;

Run launch(double time_s, int exit_code = 0) {
  CaseRecord one{.key = {.collective = "allreduce", .backend = "mpi", .bytes = 1024, .ranks = 2}};
  set_bandwidth(one, time_s, 1);
  one.interval_s = Interval{.low = 0.98 * time_s, .high = 1.02 * time_s, .confidence = 0.95};
  return {
      .cases = {one},
      .end = EndRecord{.status = EndStatus::ok, .exit_code = exit_code},
      .launch = LaunchRecord{.argv = {"mpirun", "busbar-bench"}, .ended = LaunchEnd::itself, .exit_code = exit_code}};
}

std::string catch_split_error(const repeat::Words& words) {
  return catch_error([&] { (void)repeat::split_commands(words); });
}

TEST(RepeatWords, SplitCommandsAtDashes) {
  const repeat::Words one{"mpirun", "-np", "2", "/opt/bin/busbar-bench"}, two{"mpirun", "busbar-train", "--quick"};
  EXPECT_EQ(repeat::split_commands(one), Commands{one});
  repeat::Words both = one;
  both.push_back("--");
  both.insert(both.end(), two.begin(), two.end());
  EXPECT_EQ(repeat::split_commands(both), (Commands{one, two}));
  EXPECT_THAT(catch_split_error({}), HasSubstr("no command"));
  EXPECT_THAT(catch_split_error({"mpirun", "busbar-bench", "--"}), HasSubstr("no command between --"));
  EXPECT_THAT(catch_split_error({"mpirun", "hostname"}), HasSubstr("mpirun hostname: launches neither"));
  EXPECT_THAT(catch_split_error({"mpirun", "busbar-bench", "--out=x"}), HasSubstr("give --out and --resume to"));
}

TEST(RepeatWords, KeepOptionsOfTheUserInAShortLaunch) {
  const repeat::Words plain{"mpirun", "busbar-bench"};
  EXPECT_THAT(repeat::short_launch(plain, "x", 2.5),
              ElementsAre("mpirun", "busbar-bench", "--out", "x", "--run-budget", "2.5", "--noise", "0.05"));
  EXPECT_THAT(repeat::short_launch({"mpirun", "-n", "2", "busbar-bench", "--quick", "--noise=0"}, "x", 2.5),
              ElementsAre("mpirun", "-n", "2", "busbar-bench", "--quick", "--noise=0", "--out", "x"));
}

double budget_of(std::optional<double> within_s, std::optional<int> launches, const repeat::LaunchTimes& known = {}) {
  const repeat::Request request{.commands = {{"mpirun", "busbar-bench"}}, .launches = launches, .within_s = within_s};
  return repeat::launch_budget_s(request, within_s.value_or(0), known);
}

TEST(LaunchBudget, IsForThreeRoundsOnceTheirTimeIsKnown) {
  EXPECT_DOUBLE_EQ(budget_of(20, {}), 2);
  EXPECT_DOUBLE_EQ(budget_of(20, {}, {.round_s = 0.19}), 20.0 / 21) << "in 60 % of it";
  EXPECT_DOUBLE_EQ(budget_of(20, {}, {.round_s = 0.01}), 0.25) << "the shortest";
  EXPECT_DOUBLE_EQ(budget_of(20, {}, {.round_s = 9}), 2) << "not more than the first";
  EXPECT_DOUBLE_EQ(budget_of({}, {}, {.round_s = 0.2}), 1) << "--width";
}

TEST(LaunchBudget, IsLongerThanOneThatWasTooShort) {
  EXPECT_DOUBLE_EQ(budget_of({}, {}, {.round_s = 0.1, .least_s = 1.2}), 1.2);
  EXPECT_DOUBLE_EQ(budget_of({}, {}, {.least_s = 6}), 6);
  EXPECT_DOUBLE_EQ(budget_of(10, {}, {.least_s = 12}), 10) << "but ends in time";
}

TEST(LaunchBudget, SharesTheTimeAmongLaunches) {
  EXPECT_DOUBLE_EQ(budget_of(10, 4, {.round_s = 0.01}), 2.5);
  EXPECT_DOUBLE_EQ(budget_of({}, 4, {.round_s = 0.01}), 2);
  EXPECT_DOUBLE_EQ(budget_of(8, {}), 1) << "eight";
  EXPECT_DOUBLE_EQ(budget_of(2, {}), 1) << "two";
  EXPECT_DOUBLE_EQ(budget_of(1, {}), 1) << "one";
}

double budget_of_rest(double left_s, const repeat::LaunchTimes& known) {
  return repeat::launch_budget_s({.commands = {{"mpirun", "busbar-bench"}}, .within_s = 4}, left_s, known);
}

TEST(LaunchBudget, SharesWhatIsLeftAmongWholeLaunches) {
  const repeat::LaunchTimes known{.round_s = 0.06};  // three in 0.3 s
  EXPECT_DOUBLE_EQ(budget_of_rest(0.7, known), 0.35) << "two";
  EXPECT_DOUBLE_EQ(budget_of_rest(0.5, known), 0.5) << "one, not one and a half";
  EXPECT_DOUBLE_EQ(budget_of_rest(0.27, known), 0.27) << "shorter than wanted";
}

TEST(LaunchBudget, LeavesTimeForTheStartOfLaunches) {
  const repeat::LaunchTimes known{.round_s = 0.06, .beyond_s = 0.3};
  EXPECT_DOUBLE_EQ(budget_of_rest(1.2, known), 0.3) << "two";
  EXPECT_DOUBLE_EQ(budget_of_rest(1, known), 0.7) << "one";
  EXPECT_DOUBLE_EQ(budget_of_rest(0.35, known), 0.25) << "the shortest";
  EXPECT_DOUBLE_EQ(budget_of_rest(0.6, {.least_s = 0.5, .beyond_s = 0.4}), 0.5) << "what a figure needs";
  EXPECT_DOUBLE_EQ(budget_of_rest(0.45, {.least_s = 0.5, .beyond_s = 0.4}), 0.45) << "all that is left";
}

TEST(LaunchBudget, GivesEachCommandALaunch) {
  const repeat::Request request{.commands = {{"mpirun", "a"}, {"mpirun", "b"}}, .within_s = 6};
  EXPECT_DOUBLE_EQ(repeat::launch_budget_s(request, 6, {.least_s = 5}), 3);
  EXPECT_DOUBLE_EQ(repeat::launch_budget_s(request, 2.8, {.least_s = 5}), 2.8) << "the other one";
}

TEST(LaunchBudget, KnowsTheTimeOfARoundFromVisits) {
  busbar::Run run = launch(1e-6);
  run.cases[0].rounds = {{.at_s = 1}};
  EXPECT_FALSE(repeat::round_s(run)) << "one visit";
  run.cases.push_back(run.cases[0]);
  run.cases[1].rounds = {{.at_s = 1.1}};
  EXPECT_NEAR(*repeat::round_s(run), 0.2, 1e-12);
  run.cases[0].rounds = {{.at_s = 1}, {.at_s = 1.3}};
  EXPECT_NEAR(*repeat::round_s(run), 0.3, 1e-12) << "three visits";
  run.cases.push_back({.status = Status::skipped});
  EXPECT_NEAR(*repeat::round_s(run), 0.3, 1e-12) << "of the cases that have rounds";
}

TEST(LaunchBudget, GrowsWhereCasesHadNoTime) {
  busbar::Run run = launch(1e-6);
  run.cases.push_back({.status = Status::skipped});
  EXPECT_EQ(repeat::least_budget_s(run, 2), 0) << "skipped for another reason";
  run.cases[1].ended_by = EndedBy::run_budget;
  EXPECT_EQ(repeat::least_budget_s(run, 2), 3);
  run.cases.erase(run.cases.begin());
  EXPECT_EQ(repeat::least_budget_s(run, 2), 8) << "nothing was measured";
}

TEST(PooledCases, HaveTheVariationBetweenLaunches) {
  const busbar::Run a = launch(1e-6), b = launch(1e-6 * std::exp(0.2)), c = launch(1e-6 * std::exp(0.1));
  const std::vector<const busbar::Run*> launches{&a, &b, &c};
  const auto cases = repeat::pool_cases(launches);
  ASSERT_EQ(cases.size(), 1);
  EXPECT_EQ(cases[0].name, "1 KiB");
  EXPECT_NEAR(cases[0].time_s, 1e-6 * std::exp(0.1), 1e-12);
  EXPECT_NEAR(*cases[0].spread, 0.1, 1e-9);
  EXPECT_NEAR(std::log(cases[0].interval->high / cases[0].time_s), 4.303 * 1.2533 * 0.1 / std::sqrt(3.0), 1e-4)
      << "t of 2 degrees, and the error of a median";
  EXPECT_NEAR(*cases[0].algbw_GBps, 1024 / cases[0].time_s * 1e-9, 1e-6);
  EXPECT_FALSE(repeat::pool_cases(std::span(launches).first(1))[0].interval) << "one launch says nothing of the next";
}

TEST(MeasurementSpread, IsOfCasesInThreeMeasurements) {
  const auto measurement = [](double time_s) {
    return std::vector<repeat::PooledCase>{{.series = "allreduce", .name = "1 KiB", .time_s = time_s}};
  };
  std::vector all{measurement(1e-6), measurement(1e-6 * std::exp(0.2))};
  EXPECT_FALSE(repeat::spread_of(all)) << "two";
  all.push_back(measurement(1e-6 * std::exp(0.1)));
  all.back().push_back({.series = "allreduce", .name = "2 KiB", .time_s = 1e-6});
  const auto found = repeat::spread_of(all);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->spread, 0.1, 1e-9);
  EXPECT_EQ(found->measurements, 3);
  EXPECT_EQ(found->cases, 1) << "the other size is in one";
}

TEST(PooledCases, AreInTheOrderOfThePlan) {
  busbar::Run lacks_first = launch(1e-6), whole = launch(1e-6);
  lacks_first.cases[0].key.bytes = 2048;
  lacks_first.cases[0].index = 1;
  whole.cases.push_back(lacks_first.cases[0]);
  const auto cases = repeat::pool_cases(std::vector<const busbar::Run*>{&lacks_first, &whole});
  ASSERT_EQ(cases.size(), 2);
  EXPECT_EQ(cases[0].name, "1 KiB");
  EXPECT_EQ(cases[1].name, "2 KiB");
}

TEST(PooledCases, TolerateOneSlowLaunch) {
  std::vector<busbar::Run> runs;
  for (int i = 0; i < 9; ++i) runs.push_back(launch(1e-6 * (1 + 0.01 * (i % 3))));
  runs.push_back(launch(2.3e-6));
  std::vector<const busbar::Run*> launches;
  for (const busbar::Run& run : runs) launches.push_back(&run);
  const auto one = repeat::pool_cases(launches).at(0);
  EXPECT_NEAR(one.time_s, 1.01e-6, 1e-12);
  EXPECT_LT(*one.spread, 0.03);
  EXPECT_LT(one.interval->high, 1.04e-6);
}

/// A launch whose first `slowed` of 10 rounds ran beside a neighbour: CPUs 1.4 and calls 1.25 times slower.
Run launch_beside_neighbour(double time_s, int slowed) {
  Run run = launch(slowed > 5 ? 1.25 * time_s : time_s);
  for (int i = 0; i < 10; ++i)
    run.cases[0].rounds.push_back({.samples = 100,
                                   .median_s = (i < slowed ? 1.25 : 1.0) * time_s,
                                   .pace_s = (i < slowed ? 1.4 : 1.0) * 1.5e-6 * (1 + 0.001 * i)});
  return run;
}

repeat::PooledCase pool_one_case(const std::vector<busbar::Run>& runs) {
  std::vector<const busbar::Run*> launches;
  for (const busbar::Run& run : runs) launches.push_back(&run);
  return repeat::pool_cases(launches).at(0);
}

TEST(PooledCases, CountOnlyRoundsWithCpusAtFullPace) {
  const auto one = pool_one_case({launch_beside_neighbour(1e-6, 7), launch_beside_neighbour(1.01e-6, 10),
                                  launch_beside_neighbour(1.02e-6, 0), launch_beside_neighbour(1.04e-6, 8)});
  EXPECT_THAT(one.times_s, ElementsAre(1e-6, 1.02e-6, 1.04e-6)) << "the second has no such round";
  EXPECT_NEAR(one.time_s, 1.02e-6, 1e-12);
  EXPECT_EQ(one.rounds, 15);
  EXPECT_EQ(one.disturbed, 25);
  EXPECT_EQ(one.slowed, 25);
  EXPECT_EQ(one.far, 0);
  EXPECT_NEAR(*one.disturbed_ratio, 1.25, 0.03);
}

TEST(PooledCases, DoNotCountRoundsOnDistantCpus) {
  std::vector<busbar::Run> runs{launch_beside_neighbour(1e-6, 0), launch_beside_neighbour(1e-6, 0)};
  for (busbar::Run& run : runs)
    for (Round& round : run.cases[0].rounds) round.barrier_s = 0.2e-6;
  for (std::size_t i = 0; i < 8; ++i) {
    runs[0].cases[0].rounds[i].barrier_s = 0.45e-6;
    runs[0].cases[0].rounds[i].median_s = 2e-6;
  }
  const auto one = pool_one_case(runs);
  EXPECT_THAT(one.times_s, ElementsAre(1e-6, 1e-6)) << "the first by its two undisturbed rounds";
  EXPECT_EQ(one.far, 8);
  EXPECT_EQ(one.rounds, 12);
  EXPECT_NEAR(*one.disturbed_ratio, 2, 1e-9);
}

TEST(PooledCases, CompareTheBarriersOfTheSameRanksOnly) {
  busbar::Run run = launch_beside_neighbour(1e-6, 0);
  run.cases.push_back(run.cases[0]);
  run.cases[1].key.ranks = 8;
  for (Round& round : run.cases[0].rounds) round.barrier_s = 0.2e-6;
  for (Round& round : run.cases[1].rounds) round.barrier_s = 1e-6;
  const std::vector<const busbar::Run*> launches{&run};
  for (const repeat::PooledCase& one : repeat::pool_cases(launches)) EXPECT_EQ(one.far, 0) << one.name;
}

TEST(PooledCases, AreAsMeasuredWithoutAPace) {
  std::vector<busbar::Run> runs{launch_beside_neighbour(1e-6, 0), launch_beside_neighbour(1e-6, 10)};
  for (busbar::Run& run : runs)
    for (Round& round : run.cases[0].rounds) round.pace_s.reset();
  const auto one = pool_one_case(runs);
  EXPECT_THAT(one.times_s, ElementsAre(1e-6, 1.25 * 1e-6));
  EXPECT_EQ(one.slowed, 0);
}

/// With a second case, of 2 KiB, that nothing disturbed.
Run with_undisturbed_case(Run run) {
  run.cases.push_back(launch_beside_neighbour(1e-6, 0).cases[0]);
  run.cases.back().key.bytes = 2048;
  return run;
}

TEST(PooledCases, LeaveOutLaunchesWithoutAnUndisturbedRound) {
  const auto one = pool_one_case({with_undisturbed_case(launch_beside_neighbour(1e-6, 9)),
                                  with_undisturbed_case(launch_beside_neighbour(1.02e-6, 8)),
                                  with_undisturbed_case(launch_beside_neighbour(1.01e-6, 10))});
  EXPECT_THAT(one.times_s, ElementsAre(1e-6, 1.02e-6)) << "launches with 1 and 2 such rounds; the third has none";
  EXPECT_NEAR(one.time_s, 1.01e-6, 1e-12);
  EXPECT_EQ(one.rounds, 3);
  EXPECT_EQ(one.disturbed, 27);
  EXPECT_NEAR(*one.disturbed_ratio, 1.25, 0.03);
  EXPECT_FALSE(one.as_measured);
}

TEST(PooledCases, AreAsMeasuredIfFewLaunchesHaveUndisturbedRounds) {
  const auto one = pool_one_case({with_undisturbed_case(launch_beside_neighbour(1e-6, 0)),
                                  with_undisturbed_case(launch_beside_neighbour(1.02e-6, 10)),
                                  with_undisturbed_case(launch_beside_neighbour(1.01e-6, 10))});
  EXPECT_EQ(one.rounds, 10);
  EXPECT_TRUE(one.as_measured);
  EXPECT_THAT(one.times_s, ElementsAre(1e-6, 1.25 * 1.02e-6, 1.25 * 1.01e-6));
}

TEST(PooledCases, AreAsMeasuredIfDisturbedRoundsTookNoLonger) {
  std::vector<busbar::Run> runs{launch_beside_neighbour(1e-6, 5), launch_beside_neighbour(1e-6, 5)};
  for (busbar::Run& run : runs)
    for (Round& round : run.cases[0].rounds)
      if (round.median_s > 1.2e-6) round.median_s = 1.05e-6;
  const auto one = pool_one_case(runs);
  EXPECT_EQ(one.rounds, 10);
  EXPECT_EQ(one.slowed, 10);
  EXPECT_NEAR(*one.disturbed_ratio, 1.05, 0.03);
  EXPECT_TRUE(one.as_measured);
}

TEST(PooledCases, AreAsMeasuredIfMostRoundsAreDisturbed) {
  const auto one = pool_one_case(
      {launch_beside_neighbour(1e-6, 9), launch_beside_neighbour(1.02e-6, 7), launch_beside_neighbour(1.01e-6, 6)});
  EXPECT_EQ(one.rounds, 8) << "of 30: fewer than three of ten";
  EXPECT_TRUE(one.as_measured);
  EXPECT_THAT(one.times_s, ElementsAre(1.25 * 1e-6, 1.25 * 1.02e-6, 1.25 * 1.01e-6));
  EXPECT_NEAR(*one.disturbed_ratio, 1.25, 0.03);
  const auto other = pool_one_case(
      {launch_beside_neighbour(1e-6, 9), launch_beside_neighbour(1.02e-6, 7), launch_beside_neighbour(1.01e-6, 5)});
  EXPECT_EQ(other.rounds, 9);
  EXPECT_FALSE(other.as_measured);
}

/// Cases of 1 KiB and 2 KiB in one launch. Only the first has rounds with CPUs at full pace.
Run launch_with_a_disturbed_case() {
  Run run = launch_beside_neighbour(1e-6, 0);
  run.cases.push_back(launch_beside_neighbour(1e-6, 10).cases[0]);
  run.cases[1].key.bytes = 2048;
  return run;
}

TEST(PooledCases, AreAsMeasuredIfNoLaunchHasAnUndisturbedRound) {
  const busbar::Run a = launch_with_a_disturbed_case(), b = launch_with_a_disturbed_case();
  const std::vector<const busbar::Run*> launches{&a, &b};
  const auto cases = repeat::pool_cases(launches);
  EXPECT_FALSE(cases.at(0).as_measured);
  EXPECT_THAT(cases.at(1).times_s, ElementsAre(1.25 * 1e-6, 1.25 * 1e-6));
  EXPECT_FALSE(cases.at(1).disturbed_ratio);
  EXPECT_TRUE(cases.at(1).as_measured);
}

TEST(RepeatTable, SaysWhatDisturbedRoundsWouldChange) {
  const std::vector<busbar::Run> runs{launch_beside_neighbour(1e-6, 5), launch_beside_neighbour(1e-6, 5)};
  const std::string table = repeat::table(repeat::tally(runs));
  EXPECT_THAT(table, HasSubstr("# 50 % of the rounds were disturbed and do not count; calls took 1.25x as long"));
  EXPECT_THAT(table, HasSubstr("#   50 % on CPUs over 10 % slower (another guest on the core, a lower clock)"));
  EXPECT_THAT(table, HasSubstr("#   0.0 % on distant CPUs"));
  EXPECT_THAT(repeat::table(repeat::tally({launch(1e-6)})), testing::Not(HasSubstr("do not count")));
  EXPECT_THAT(repeat::table(repeat::tally({launch_with_a_disturbed_case()})),
              HasSubstr("# 1 of 2 cases: all rounds count; 0.0 % were undisturbed:\n"
                        "#   100 % on CPUs over 10 % slower"));
  EXPECT_THAT(repeat::table(repeat::tally({launch_beside_neighbour(1e-6, 9)})),
              HasSubstr("# 1 of 1 cases: all rounds count; 10 % were undisturbed, the others\n"
                        "#   took 1.25x as long:\n"
                        "#   90 % on CPUs over 10 % slower"));
}

TEST(RepeatTable, SaysThatAllLaunchesWereFarByEarlierOnes) {
  std::vector<busbar::Run> runs{launch(1e-6), launch(1e-6)};
  runs[0].end->settling = Settling{.best_barrier_s = 0.45e-6, .known_barrier_s = 0.15e-6};
  runs[1].end->settling = Settling{.best_barrier_s = 0.5e-6, .known_barrier_s = 0.16e-6};
  EXPECT_THAT(repeat::table(repeat::tally(runs)),
              HasSubstr("# All launches ran on distant CPUs: a barrier took at least 3.0 times as long\n"
                        "#   as in earlier launches (450 ns and 150 ns)."));
  const auto says_so = HasSubstr("distant CPUs");
  runs[1].end->settling->best_barrier_s = 0.2e-6;
  EXPECT_THAT(repeat::table(repeat::tally(runs)), testing::Not(says_so)) << "one was near";
  runs[1].end->settling = Settling{.best_barrier_s = 0.5e-6};
  EXPECT_THAT(repeat::table(repeat::tally(runs)), testing::Not(says_so)) << "one did not know earlier launches";
}

TEST(RepeatTable, SaysThatAllLaunchesWereSlowByEarlierOnes) {
  std::vector<busbar::Run> runs{launch(1e-6), launch(1e-6)};
  runs[0].end->pace = LaunchPace{.full_s = 2.6e-6, .known_s = 2e-6};
  runs[1].end->pace = LaunchPace{.full_s = 2.8e-6, .known_s = 2.1e-6};
  EXPECT_THAT(repeat::table(repeat::tally(runs)),
              HasSubstr("# All launches ran on slow CPUs: at least 1.3 times as slow as in earlier launches."));
  const auto says_so = HasSubstr("slow CPUs");
  runs[1].end->pace->full_s = 2.1e-6;
  EXPECT_THAT(repeat::table(repeat::tally(runs)), testing::Not(says_so)) << "one was not";
  runs[1].end->pace = LaunchPace{.full_s = 2.8e-6};
  EXPECT_THAT(repeat::table(repeat::tally(runs)), testing::Not(says_so)) << "one did not know earlier launches";
}

TEST(RepeatTable, PredictsTheIntervalFromLaunchesThatCount) {
  const std::vector<busbar::Run> runs{launch_beside_neighbour(1e-6, 0), launch_beside_neighbour(1.01e-6, 0),
                                      launch_beside_neighbour(1e-6, 10), launch_beside_neighbour(1e-6, 10)};
  EXPECT_THAT(repeat::foot(repeat::tally(runs), 4), HasSubstr("; widest +-7.9 %; 4 more (4 s): about +-1.4 %"))
      << "two count: t of 1 and 3 degrees";
}

TEST(RepeatTable, ReportsAndSkipsFailedLaunches) {
  const std::vector<busbar::Run> runs{launch(1e-6), launch(9e-6, 3), launch(1.1e-6)};
  const auto commands = repeat::tally(runs);
  ASSERT_EQ(commands.size(), 1);
  EXPECT_EQ(commands[0].good.size(), 2);
  EXPECT_THAT(repeat::table(commands), HasSubstr("    1 KiB        2      1.050"));
  EXPECT_THAT(repeat::foot(commands, 4), HasSubstr("# 2 launches, 1 failed and left out, 4.0 s; widest +-"));
}

}  // namespace
}  // namespace busbar::test
