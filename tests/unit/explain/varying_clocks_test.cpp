// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/explain/made_up.hpp"

namespace busbar::explain::test {
namespace {

TEST(VaryingClocks, BlameASettingOnlyIfSpeedsVaried) {
  busbar::Run run = quiet_run();
  for (Host& host : run.head.hosts) host.governor = "schedutil";
  EXPECT_THAT(apply_rule("varying_clocks", run), IsEmpty());
  run.head.noise[1].speed_ratio = 1.6;
  const auto findings = apply_rule("varying_clocks", run);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].certainty, Certainty::likely);
  EXPECT_THAT(text_of(findings[0]),
              HasSubstr("varied 1.60x within 1 s on rank 1 (a), and by at least 1.25x on 1 of 4 ranks"));
  EXPECT_THAT(text_of(findings[0]), HasSubstr("CPU governor schedutil: a, b."));
}

TEST(VaryingClocks, ArePossibleByTurboAlone) {
  busbar::Run run = quiet_run();
  for (Host& host : run.head.hosts) host.turbo = true;
  for (CaseRecord& c : run.cases) c.modes = Modes{};
  const auto findings = apply_rule("varying_clocks", run);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].certainty, Certainty::possible);
  EXPECT_THAT(text_of(findings[0]), HasSubstr("22 of 22 cases are bimodal."));
}

TEST(VaryingClocks, AreSilentOnFixedClocks) {
  busbar::Run run = quiet_run();
  EXPECT_THAT(apply_rule("varying_clocks", run), IsEmpty());
  run.head.noise[1].speed_ratio = 1.6;
  EXPECT_THAT(apply_rule("varying_clocks", run), IsEmpty());
}

}  // namespace
}  // namespace busbar::explain::test
