// SPDX-License-Identifier: Apache-2.0
#include "core/journal/earlier_launches.hpp"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <optional>

#include <gtest/gtest.h>

#include "core/journal/journal.hpp"
#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run.hpp"

namespace busbar::test {
namespace {

RunRecord launch(const std::string& id, int ranks = 2) {
  RunRecord run{.id = id, .tool = {.name = "busbar-bench"}, .ranks = ranks, .mpi = Mpi{.library = "Open MPI 4.1.4"}};
  run.method = {
      .cadence = "barrier", .rank_rule = RankRule::slowest, .statistic = Statistic::median_of_rounds, .check = "off"};
  run.placement = {{.rank = 0, .host = "a"}, {.rank = 1, .host = "a"}};
  return run;
}

class SpreadOfEarlierLaunches : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const RunRecord& run, double time_s, std::optional<Settling> settling = {},
             std::optional<LaunchPace> pace = {}) {
    CaseRecord one{.key = {.collective = "allreduce", .backend = "mpi", .bytes = 8, .ranks = run.ranks}};
    one.check.state = CheckState::off;
    one.key.group = "world";
    set_bandwidth(one, time_s, 1);
    write_journal(
        folder_ / (run.id + ".jsonl"),
        {.head = run, .cases = {one}, .end = EndRecord{.status = EndStatus::ok, .settling = settling, .pace = pace}});
  }

  const std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(SpreadOfEarlierLaunches, IsAssumedIfFewAreKnown) {
  write(launch("1"), 1e-6);
  write(launch("2"), 2e-6);
  write(launch("others", 4), 9e-6);
  EXPECT_EQ(earlier_launches(folder_, launch("now")).spread.launches, 0);
  EXPECT_EQ(earlier_launches(folder_ / "nowhere", launch("now")).spread.launches, 0);
}

TEST_F(SpreadOfEarlierLaunches, ToleratesOneSlowLaunch) {
  for (int i = 0; i < 9; ++i) write(launch(std::to_string(i)), 1e-6 * std::exp(0.01 * (i % 3 - 1)));
  write(launch("slow"), 2.3e-6);
  EXPECT_LT(earlier_launches(folder_, launch("now")).spread.relative, 0.02);
}

TEST_F(SpreadOfEarlierLaunches, GivesTheUsualTimeOfABarrier) {
  EXPECT_FALSE(earlier_launches(folder_, launch("now")).barrier_s);
  for (int i = 0; i < 2; ++i) write(launch(std::to_string(i)), 1e-6, Settling{.usual_barrier_s = 150e-9});
  write(launch("far"), 2e-6, Settling{.usual_barrier_s = 440e-9});
  EXPECT_EQ(earlier_launches(folder_, launch("now")).barrier_s, 150e-9);
  for (int i = 0; i < 12; ++i) write(launch("far" + std::to_string(i)), 2e-6, Settling{.usual_barrier_s = 440e-9});
  EXPECT_EQ(earlier_launches(folder_, launch("now")).barrier_s, 150e-9) << "ranks can be far for a long time";
  write(launch("lucky"), 1e-6, Settling{.usual_barrier_s = 1e-9});
  EXPECT_EQ(earlier_launches(folder_, launch("now")).barrier_s, 150e-9) << "one odd launch does not count";
}

TEST_F(SpreadOfEarlierLaunches, GivesTheFullPace) {
  EXPECT_FALSE(earlier_launches(folder_, launch("now")).pace_s);
  write(launch("older"), 1e-6);
  EXPECT_FALSE(earlier_launches(folder_, launch("now")).pace_s) << "a record without it";
  write(launch("slow"), 1e-6, {}, LaunchPace{.full_s = 2.6e-6});
  write(launch("fast"), 1e-6, {}, LaunchPace{.full_s = 1.9e-6});
  EXPECT_EQ(earlier_launches(folder_, launch("now")).pace_s, 1.9e-6);
  for (int i = 0; i < 3; ++i) write(launch(std::to_string(i)), 1e-6, {}, LaunchPace{.full_s = 2e-6});
  EXPECT_EQ(earlier_launches(folder_, launch("now")).pace_s, 2e-6) << "one odd launch of five does not count";
  RunRecord other = launch("now");
  other.tool.build_type = "Debug";
  EXPECT_FALSE(earlier_launches(folder_, other).pace_s) << "compiled in another way";
}

TEST_F(SpreadOfEarlierLaunches, ReadsNoMoreThanTheLimit) {
  for (int i = 0; i < 6; ++i) write(launch(std::to_string(i)), 1e-6);
  const std::uintmax_t bytes = std::filesystem::file_size(folder_ / "0.jsonl");
  EXPECT_EQ(earlier_launches(folder_, launch("now")).spread.launches, 6);
  EXPECT_EQ(earlier_launches(folder_, launch("now"), 4 * bytes).spread.launches, 4);
  EXPECT_EQ(earlier_launches(folder_, launch("now"), bytes - 1).spread.launches, 0);
}

TEST(BytesWorthReading, AreAShareOfTheTime) {
  EXPECT_EQ(bytes_worth_reading(0.1), 1U << 20);
  EXPECT_EQ(bytes_worth_reading(2), 4U << 20);
  EXPECT_EQ(bytes_worth_reading(60), 16U << 20);
  EXPECT_EQ(bytes_worth_reading({}), 16U << 20);
}

TEST_F(SpreadOfEarlierLaunches, KnowsOldLaunchesToo) {
  const auto now = std::filesystem::file_time_type::clock::now();
  for (int i = 0; i < 60; ++i) {
    write(launch(std::to_string(i)), i < 30 ? 2e-6 : 1e-6);
    std::filesystem::last_write_time(folder_ / (std::to_string(i) + ".jsonl"), now - std::chrono::minutes(60 - i));
  }
  const EarlierLaunches earlier = earlier_launches(folder_, launch("now"));
  EXPECT_EQ(earlier.spread.launches, 20);
  const EarlierCase& known = earlier.cases.begin()->second;
  EXPECT_DOUBLE_EQ(known.median_s, 1e-6);
  EXPECT_DOUBLE_EQ(known.seen.low, 1e-6);
  EXPECT_DOUBLE_EQ(known.seen.high, 2e-6) << "no launch of the last half hour took as long";
}

TEST_F(SpreadOfEarlierLaunches, CountsOnlySimilarLaunches) {
  const double step = 0.1;
  for (int i = -1; i <= 1; ++i) write(launch(std::to_string(i)), 1e-6 * std::exp(step * i));
  write(launch("others", 4), 9e-6);
  const EarlierLaunches earlier = earlier_launches(folder_, launch("now"));
  EXPECT_EQ(earlier.spread.launches, 3);
  EXPECT_NEAR(earlier.spread.relative, step, 1e-9);
  ASSERT_EQ(earlier.cases.size(), 1U);
  EXPECT_NEAR(earlier.cases.begin()->second.median_s, 1e-6, 1e-12);
  const EarlierCase& one = earlier.cases.begin()->second;
  EXPECT_NEAR(one.spread.relative, step, 1e-9);
  const double error = 1.2533141373155 * step / std::sqrt(3.0);
  EXPECT_NEAR(std::log(one.median_interval(0.95).high / one.median_s), 4.302653 * error, 1e-6);
  EXPECT_NEAR(std::log(one.median_s / one.median_interval(0.5).low), 0.816497 * error, 1e-6);
}

class IntervalOfACase : public testing::Test {
 protected:
  IntervalOfACase() {
    case_.key = {.collective = "allreduce", .backend = "mpi", .bytes = 8, .ranks = 2};
    case_.time_s = 1e-6;
  }
  void share_cpus() { case_.contention = Contention{.reasons = {"runnable but not running 40 % of the time"}}; }
  [[nodiscard]] double ratio() const { return interval_of_launches(case_, earlier_)->high / *case_.time_s; }

  CaseRecord case_;
  EarlierLaunches earlier_;
};

TEST_F(IntervalOfACase, UsesTheLargerError) {
  case_.interval_s = Interval{.low = 0.97e-6, .high = 1.05e-6, .confidence = 0.95};
  earlier_.spread.relative = 0.02;
  const auto assumed = interval_of_launches(case_, earlier_);
  ASSERT_TRUE(assumed);
  EXPECT_NEAR(assumed->high, case_.interval_s->high, 1e-12);
  EXPECT_NEAR(std::log(1e-6 / assumed->low), 1.96 * 0.02, 1e-4);
  earlier_.cases[to_string(case_.key)] = {.median_s = 1e-6, .spread = {.relative = 0.03, .launches = 3}};
  EXPECT_NEAR(std::log(ratio()), 1.886 * 0.03, 1e-4) << "two degrees of freedom";
  EXPECT_NEAR(std::log(1e-6 / interval_of_launches(case_, earlier_)->low), 1.886 * 0.03, 1e-4);
}

TEST_F(IntervalOfACase, NeedsAKnownSpread) {
  EXPECT_FALSE(interval_of_launches(case_, earlier_));
  earlier_.cases[to_string(case_.key)] = {.median_s = 1e-6, .spread = {.relative = 0.02, .launches = 20}};
  EXPECT_NEAR(std::log(ratio()), 1.328 * 0.02, 1e-4) << "at 80 %";
}

TEST_F(IntervalOfACase, ContainsTheMedianOfEarlierLaunchesIfUnusual) {
  EarlierCase& known = earlier_.cases[to_string(case_.key)];
  known = {.median_s = 1.026e-6, .spread = {.relative = 0.02, .launches = 16}};
  EXPECT_NEAR(std::log(ratio()), 1.341 * 0.02, 1e-4) << "as usual";
  known.median_s = 1.04e-6;
  EXPECT_NEAR(ratio(), known.median_interval(0.95).high / 1e-6, 1e-9);
  EXPECT_NEAR(std::log(1e-6 / interval_of_launches(case_, earlier_)->low), 1.341 * 0.02, 1e-4);
  known.median_s = 0.96e-6;
  EXPECT_NEAR(interval_of_launches(case_, earlier_)->low, known.median_interval(0.95).low, 1e-12);
  EXPECT_EQ(interval_of_launches(case_, earlier_)->confidence, 0.95);
}

TEST_F(IntervalOfACase, IsWideOnSharedCpusUntilTenLaunchesAreKnown) {
  case_.interval_s = Interval{.low = 0.99e-6, .high = 1.01e-6, .confidence = 0.95};
  EXPECT_NEAR(std::log(ratio()), 1.96 * 0.05, 1e-4);
  share_cpus();
  EXPECT_NEAR(std::log(ratio()), 1.96 * spread_on_shared_cpus.relative, 1e-4);
  case_.interval_s = std::nullopt;
  EXPECT_NEAR(std::log(ratio()), 1.96 * spread_on_shared_cpus.relative, 1e-4);
  EarlierCase& known = earlier_.cases[to_string(case_.key)];
  known = {.median_s = 1e-6,
           .spread = {.relative = 0.02, .launches = enough_on_shared_cpus - 1},
           .seen = {.low = 1e-6, .high = 1e-6, .confidence = 0.8}};
  EXPECT_NEAR(std::log(ratio()), 1.96 * spread_on_shared_cpus.relative, 1e-4);
  known.spread.launches = enough_on_shared_cpus;
  EXPECT_NEAR(std::log(ratio()), 1.383 * 0.02, 1e-4);
  known.spread.relative = 0.001;
  EXPECT_NEAR(std::log(ratio()), 1.383 * 0.02, 1e-4);
}

TEST_F(IntervalOfACase, ContainsTheStatesThatEarlierLaunchesMet) {
  case_.interval_s = Interval{.low = 0.99e-6, .high = 1.01e-6, .confidence = 0.95};
  EarlierCase& known = earlier_.cases[to_string(case_.key)];
  known = {.median_s = 1e-6,
           .spread = {.relative = 0.02, .launches = 20},
           .seen = {.low = 0.93e-6, .high = 1.02e-6, .confidence = 0.8}};
  EXPECT_NEAR(std::log(1e-6 / interval_of_launches(case_, earlier_)->low), 1.328 * 0.02, 1e-4) << "one state";
  known.seen = {.low = 0.9e-6, .high = 2.2e-6, .confidence = 0.8};
  EXPECT_DOUBLE_EQ(ratio(), 2.2);
  EXPECT_DOUBLE_EQ(interval_of_launches(case_, earlier_)->low, 0.9e-6);
  share_cpus();
  EXPECT_DOUBLE_EQ(ratio(), 2.2);
  known.spread.launches = enough_on_shared_cpus - 1;
  EXPECT_NEAR(ratio(), std::exp(1.96 * spread_on_shared_cpus.relative), 1e-3) << "assumed until enough are known";
}

TEST_F(IntervalOfACase, NeedsNoSpreadAtLowConfidence) {
  case_.interval_s = Interval{.low = 0.99e-6, .high = 1.01e-6, .confidence = 0.7};
  earlier_.cases[to_string(case_.key)] = {.median_s = 1e-6, .spread = {.relative = 0.02, .launches = 20}};
  EXPECT_DOUBLE_EQ(ratio(), 1.01);
}

}  // namespace
}  // namespace busbar::test
