// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/explain/made_up.hpp"

namespace busbar::explain::test {
namespace {

CaseRecord alltoallv(const char* counts, double time_s, double bus_factor) {
  CaseRecord c = a_case(1 << 20, time_s);
  c.key.collective = "alltoallv";
  c.key.counts = counts;
  c.interval_s = Interval{.low = 0.95 * time_s, .high = 1.05 * time_s, .confidence = 0.95};
  set_bandwidth(c, time_s, bus_factor);
  return c;
}

TEST(UnevenCounts, ComparesTimeAndLoadWithEvenCounts) {
  busbar::Run run = quiet_run();
  run.cases = {alltoallv("even", 1e-3, 0.75), alltoallv("zipf:1.2", 2.5e-3, 1.5)};
  const auto findings = apply_rule("uneven_counts", run);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].title, "Uneven counts cost time in 1 of 1 case");
  EXPECT_THAT(text_of(findings[0]), HasSubstr("counts zipf:1.2: 2.5 ms, 2.50x the 1 ms with even counts"));
  EXPECT_THAT(text_of(findings[0]), HasSubstr("2.00x as much"));
}

TEST(UnevenCounts, NeedsIntervalsThatDoNotOverlap) {
  busbar::Run run = quiet_run();
  run.cases = {alltoallv("even", 1e-3, 0.75), alltoallv("linear", 1.05e-3, 1.2)};
  EXPECT_THAT(apply_rule("uneven_counts", run), IsEmpty());
  run.cases = {alltoallv("linear", 5e-3, 1.2)};
  EXPECT_THAT(apply_rule("uneven_counts", run), IsEmpty()) << "nothing to compare with";
}

}  // namespace
}  // namespace busbar::explain::test
