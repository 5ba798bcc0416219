// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>
#include <gmock/gmock.h>

#include "tests/unit/explain/made_up.hpp"

namespace busbar::explain::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Copies between all of 8 GPUs at 400 GB/s, but for those that read from GPU `slow`.
Run copies(int slow, double slow_GBps) {
  Run run;
  run.head.origin = "imported";
  for (int to = 0; to < 8; ++to) {
    for (int from = 0; from < 8; ++from) {
      if (from == to) continue;
      CaseRecord c{.key = {.kind = "copy", .collective = "read", .backend = "nvbandwidth", .ranks = 1}};
      c.key.group = fmt::format("GPU{}<-GPU{}", to, from);
      c.algbw_GBps = from == slow ? slow_GBps : 400;
      run.cases.push_back(std::move(c));
    }
  }
  return run;
}

TEST(SlowPairs, OneGpuInMostOfThemIsNamed) {
  const auto findings = said_by("slow_pairs", copies(5, 180));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].certainty, Certainty::likely);
  EXPECT_EQ(findings[0].title, "7 of 56 pairs, most of them with GPU5, carry less than 80 % of the median, read");
  EXPECT_THAT(text_of(findings[0]), HasSubstr("median of 56 pairs 400.00 GB/s; GPU0 <- GPU5 180.00 GB/s"));
  EXPECT_THAT(text_of(findings[0]), HasSubstr("and 4 more."));
  EXPECT_THAT(text_of(findings[0]), HasSubstr("Look at the links of GPU5"));
}

TEST(SlowPairs, ALittleSlowerIsNothing) {
  EXPECT_THAT(said_by("slow_pairs", copies(5, 330)), IsEmpty());
  EXPECT_THAT(said_by("slow_pairs", quiet()), IsEmpty());
}

}  // namespace
}  // namespace busbar::explain::test
