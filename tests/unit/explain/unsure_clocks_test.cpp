// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/explain/made_up.hpp"

namespace busbar::explain::test {
namespace {

TEST(UnsureClocks, ReportSkewsBelowTheirError) {
  busbar::Run run = quiet_run();
  run.end->clock = ClockChecks{.checks = {}, .worst_residual_s = 2e-5, .resynchronised = 1};
  run.cases[0].arrival->transfer_s = -1e-6;
  const auto findings = apply_rule("unsure_clocks", run);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].title, "clock synchronisation is too inaccurate for the skew of 22 of 22 cases");
  EXPECT_THAT(text_of(findings[0]), HasSubstr("Clocks may differ by up to 21 us"));
  EXPECT_THAT(text_of(findings[0]), HasSubstr("In 1 of 22 cases, transfer_s is even negative."));
}

TEST(UnsureClocks, AreSilentOnAccurateOrSharedClocks) {
  busbar::Run run = quiet_run();
  EXPECT_THAT(apply_rule("unsure_clocks", run), IsEmpty());
  run.head.clock->residual_s = 1;
  run.head.clock->method = "shared clock";
  EXPECT_THAT(apply_rule("unsure_clocks", run), IsEmpty());
}

}  // namespace
}  // namespace busbar::explain::test
