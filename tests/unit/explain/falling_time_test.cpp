// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/explain/made_up.hpp"

namespace busbar::explain::test {
namespace {

Time slow_below_2k(double times) {
  return [times](std::uint64_t bytes) { return smooth_s(bytes) * (bytes < 2048 ? times : 1); };
}

TEST(FallingTime, FindsASlowStretchOfSmallSizes) {
  const auto findings = apply_rule("falling_time", imported_run(slow_below_2k(2), slow_below_2k(2)));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].certainty, Certainty::likely);
  EXPECT_THAT(findings[0].title, HasSubstr("is 2.0x faster at 2 KiB than at 1 KiB, despite the larger size"));
  EXPECT_THAT(text_of(findings[0]), HasSubstr("40.2 us at 1 KiB, 20.2 us at 2 KiB"));
}

TEST(FallingTime, SuggestsNoAlgorithmsForPointToPoint) {
  busbar::Run run = imported_run(slow_below_2k(2), slow_below_2k(2));
  for (const char* collective : {"alltoall", "bisection", "incast"}) {
    for (CaseRecord& c : run.cases) c.key.collective = collective;
    const auto text = text_of(apply_rule("falling_time", run).at(0));
    EXPECT_THAT(text, HasSubstr("NCCL_ALGO and NCCL_PROTO have no effect")) << collective;
    EXPECT_THAT(text, Not(HasSubstr("--algorithm"))) << collective;
  }
}

TEST(FallingTime, IgnoresTheFirstRowOfALog) {
  const Time cold = [](std::uint64_t bytes) { return smooth_s(bytes) * (bytes == 8 ? 3 : 1); };
  const auto findings = apply_rule("falling_time", imported_run(cold, smooth_s));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].title, "the first size of the log, 8 B, is 3.0x slower than the next");
  EXPECT_THAT(text_of(findings[0]), HasSubstr("warm-up"));
}

TEST(FallingTime, IsSilentOnGrowingTimes) {
  EXPECT_THAT(apply_rule("falling_time", imported_run(smooth_s, smooth_s)), IsEmpty());
  EXPECT_THAT(apply_rule("falling_time", imported_run(slow_below_2k(1.2), slow_below_2k(1.2))), IsEmpty());
  EXPECT_THAT(apply_rule("falling_time", quiet_run()), IsEmpty());
}

}  // namespace
}  // namespace busbar::explain::test
