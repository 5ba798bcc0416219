// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/explain/made_up.hpp"

namespace busbar::explain::test {
namespace {

/// Rank 1's GPU is throttled in a share of its readings, in each case.
Run throttled_run(double share) {
  busbar::Run run = quiet_run();
  add_gpus(run);
  for (CaseRecord& c : run.cases) {
    GpuTelemetry& t = c.telemetry[1];
    t.throttled = true;
    t.clock_reasons = {{"gpu_idle", 0.5}, {"sw_thermal_slowdown", share}};
    t.sm_clock_MHz = Spread{.min = 1100, .median = 1200, .max = 1980};
    t.temperature_C = Spread{.min = 80, .median = 86, .max = 88};
    c.throttled = true;
  }
  return run;
}

TEST(ThrottledGpus, AreNamedWithRankHostClockAndShare) {
  const auto findings = apply_rule("throttled_gpus", throttled_run(0.4));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].certainty, Certainty::known);
  EXPECT_EQ(findings[0].title, "the GPUs of 1 of 4 ranks were throttled");
  EXPECT_EQ(
      findings[0].evidence.at(0),
      "rank 1 (a): sw_thermal_slowdown in 40 % of its readings, in 22 of 22 cases; median SM clock then 1200 of 1980 "
      "MHz, temperature up to 88 C.");
  EXPECT_THAT(text_of(findings[0]), HasSubstr("fans"));
  EXPECT_THAT(text_of(findings[0]), Not(HasSubstr("sw_power_cap")));
  EXPECT_EQ(findings[0].where.ranks, std::vector{1});
}

/// Rank 1's GPU was at its power limit for a share of the time of each case, by its counter, and at every reading.
Run power_capped_run(double share) {
  busbar::Run run = throttled_run(1);
  for (CaseRecord& c : run.cases) {
    GpuTelemetry& t = c.telemetry[1];
    t.clock_reasons = {{"sw_power_cap", 1}};
    t.span_s = 2;
    t.throttle_time_s = {{"sw_power_cap", 2 * share}};
  }
  return run;
}

TEST(ThrottledGpus, AreNamedWithTheirThrottledTime) {
  const auto findings = apply_rule("throttled_gpus", power_capped_run(0.4));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0].evidence.at(0),
              HasSubstr("rank 1 (a): sw_power_cap for 40 % of the time, in 22 of 22 cases;"));
  EXPECT_THAT(apply_rule("throttled_gpus", power_capped_run(0.02)), IsEmpty()) << "whatever the readings show";
}

TEST(ThrottledGpus, IgnoreOneReadingInFifty) {
  EXPECT_THAT(apply_rule("throttled_gpus", throttled_run(0.02)), IsEmpty());
}

TEST(ThrottledGpus, IgnoreReasonsAtTheHighestClock) {
  busbar::Run run = throttled_run(1);
  for (CaseRecord& c : run.cases) c.telemetry[1].sm_clock_MHz = Spread{.min = 1975, .median = 1980, .max = 1980};
  EXPECT_THAT(apply_rule("throttled_gpus", run), IsEmpty());
}

TEST(ThrottledGpus, AreSilentOnFullClocksAndRunsWithoutGpus) {
  busbar::Run run = quiet_run();
  EXPECT_FALSE(try_find<Rule>("throttled_gpus")->has_data(run));
  add_gpus(run);
  EXPECT_THAT(apply_rule("throttled_gpus", run), IsEmpty());
}

}  // namespace
}  // namespace busbar::explain::test
