// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/explain/made_up.hpp"

namespace busbar::explain::test {
namespace {

/// Sizes above 2 MiB take `times` as long as the curve says.
Time beyond_a_cache(double times) {
  return [times](std::uint64_t bytes) { return smooth_s(bytes) * (bytes > (2U << 20) ? times : 1); };
}

TEST(FallingBandwidth, IsLikelyIfTheTwoLargestSizesAreLow) {
  const busbar::Run run = imported_run(beyond_a_cache(5), smooth_s);
  const auto findings = apply_rule("falling_bandwidth", run);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].certainty, Certainty::likely);
  EXPECT_EQ(findings[0].title, "allreduce, out of place: algbw falls from 9.13 GB/s at 2 MiB to 1.98 GB/s at 16 MiB");
  EXPECT_THAT(text_of(findings[0]), HasSubstr("9.13 GB/s at 2 MiB, 1.91 GB/s at 4 MiB, 1.95 GB/s at 8 MiB"));
  ASSERT_THAT(findings[0].where.cases, SizeIs(1));
  EXPECT_EQ(findings[0].where.cases[0]->key.bytes, 16U << 20);
}

TEST(FallingBandwidth, IsKnownByIntervals) {
  const auto run = [](double times) {
    busbar::test::Synthetic random(1);
    busbar::Run all = quiet_run();
    for (CaseRecord& c : all.cases)
      c = in_rounds(a_case(c.key.bytes, beyond_a_cache(times)(c.key.bytes)), 20, 0.02, random);
    return all;
  };
  const auto findings = apply_rule("falling_bandwidth", run(4));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].certainty, Certainty::known);
  EXPECT_THAT(text_of(findings[0]), HasSubstr("last-level cache"));
  EXPECT_THAT(apply_rule("falling_bandwidth", run(1.5)), IsEmpty());
}

}  // namespace
}  // namespace busbar::explain::test
