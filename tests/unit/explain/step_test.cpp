// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/explain/made_up.hpp"

namespace busbar::explain::test {
namespace {

/// 5 us up to 4 KiB, 5 us and 15 us above.
double eager_s(std::uint64_t bytes) {
  return 5e-6 + (bytes > (4U << 10) ? 15e-6 : 0) + static_cast<double>(bytes) / 10e9;
}

TEST(Step, IsFoundAtAnEagerLimit) {
  const busbar::Run run = imported_run(eager_s, eager_s);
  const auto findings = apply_rule("step", run);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].certainty, Certainty::likely);
  EXPECT_THAT(findings[0].title, HasSubstr("jumps between 4 KiB and 8 KiB"));
  EXPECT_THAT(text_of(findings[0]), HasSubstr("5.41 us at 4 KiB, 20.8 us at 8 KiB, 21.6 us at 16 KiB"));
  EXPECT_EQ(findings[0].where.sizes, (std::vector<std::uint64_t>{4U << 10, 8U << 10}));
  EXPECT_THAT(apply_rule("dip", run), IsEmpty());
  EXPECT_THAT(apply_rule("falling_time", run), IsEmpty());
}

TEST(Step, IsFoundAtALastingFallOfBandwidth) {
  const Time slower = [](std::uint64_t bytes) { return smooth_s(bytes) * (bytes > (1U << 20) ? 2.5 : 1); };
  busbar::Run run = imported_run(slower, slower);
  for (CaseRecord& c : run.cases) c.key.backend = "mpi", c.key.memory = "host";
  const auto findings = apply_rule("step", run);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0].title, HasSubstr("jumps between 1 MiB and 2 MiB"));
  EXPECT_THAT(text_of(findings[0]), HasSubstr("algbw goes from 8.40 to 3.65 GB/s"));
  EXPECT_THAT(text_of(findings[0]), HasSubstr("last-level cache"));
}

TEST(Step, NeedsMoreEvidenceInOneSeries) {
  const auto jump = [](double by) {
    return [by](std::uint64_t bytes) { return smooth_s(bytes) * (bytes > (4U << 10) ? by : 1); };
  };
  EXPECT_THAT(apply_rule("step", imported_run(jump(1.8), smooth_s)), IsEmpty());
  const auto findings = apply_rule("step", imported_run(jump(2.2), smooth_s));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].certainty, Certainty::possible);
}

TEST(Step, MergesManySizesIntoOneFinding) {
  const Time stairs = [](std::uint64_t bytes) {
    double up = 1;
    for (std::uint64_t at = 256; at < bytes; at *= 16) up *= 3;
    return 1e-6 * up;
  };
  const auto findings = apply_rule("step", imported_run(stairs, stairs));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0].title, HasSubstr("and 3 more places"));
  EXPECT_THAT(text_of(findings[0]), HasSubstr("The effect is smaller at 1 more place."));
}

TEST(Step, IsSilentOnSmoothCurves) {
  EXPECT_THAT(apply_rule("step", imported_run(smooth_s, smooth_s)), IsEmpty());
  EXPECT_THAT(apply_rule("step", quiet_run()), IsEmpty());
}

}  // namespace
}  // namespace busbar::explain::test
