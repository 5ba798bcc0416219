// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run.hpp"
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
              ElementsAre("mpirun", "busbar-bench", "--out", "x", "--run-budget", "2.5", "--noise", "0.1"));
  EXPECT_THAT(repeat::short_launch({"mpirun", "-n", "2", "busbar-bench", "--quick", "--noise=0"}, "x", 2.5),
              ElementsAre("mpirun", "-n", "2", "busbar-bench", "--quick", "--noise=0", "--out", "x"));
}

TEST(PooledCases, HaveTheVariationBetweenLaunches) {
  const busbar::Run a = launch(1e-6), b = launch(1e-6 * std::exp(0.2)), c = launch(1e-6 * std::exp(0.1));
  const std::vector<const busbar::Run*> launches{&a, &b, &c};
  const auto cases = repeat::pool_cases(launches);
  ASSERT_EQ(cases.size(), 1);
  EXPECT_EQ(cases[0].name, "1 KiB");
  EXPECT_NEAR(cases[0].time_s, 1e-6 * std::exp(0.1), 1e-12);
  EXPECT_NEAR(*cases[0].spread, 0.1, 1e-9);
  EXPECT_NEAR(*cases[0].within, 0.02, 1e-9);
  EXPECT_NEAR(std::log(cases[0].interval->high / cases[0].time_s), 4.303 * 1.2533 * 0.1 / std::sqrt(3.0), 1e-4)
      << "t of 2 degrees, and the error of a median";
  EXPECT_NEAR(*cases[0].algbw_GBps, 1024 / cases[0].time_s * 1e-9, 1e-6);
  EXPECT_FALSE(repeat::pool_cases(std::span(launches).first(1))[0].interval) << "one launch says nothing of the next";
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

TEST(RepeatTable, ReportsAndSkipsFailedLaunches) {
  const std::vector<busbar::Run> runs{launch(1e-6), launch(9e-6, 3), launch(1.1e-6)};
  const auto commands = repeat::tally(runs);
  ASSERT_EQ(commands.size(), 1);
  EXPECT_EQ(commands[0].good.size(), 2);
  EXPECT_THAT(repeat::table(commands), HasSubstr("    1 KiB        2       1.05"));
  EXPECT_THAT(repeat::foot(commands, 4), HasSubstr("# 2 launches, 1 failed and left out, 4.0 s; widest +-"));
}

}  // namespace
}  // namespace busbar::test
