// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "tests/unit/explain/made_up.hpp"

namespace busbar::explain::test {
namespace {

/// Copies between all of 8 GPUs at 400 GB/s, but for those that read from GPU `slow`.
Run copies(int slow, double slow_GBps) {
  Run run;
  run.head.origin = Origin::imported;
  for (int to = 0; to < 8; ++to) {
    for (int from = 0; from < 8; ++from) {
      if (from == to) continue;
      CaseRecord c{.key = {.kind = CaseKind::copy, .collective = "read", .backend = "nvbandwidth", .ranks = 1}};
      c.key.group = fmt::format("GPU{}<-GPU{}", to, from);
      c.algbw_GBps = from == slow ? slow_GBps : 400;
      run.cases.push_back(std::move(c));
    }
  }
  return run;
}

TEST(SlowPairs, NameTheGpuInMostOfThem) {
  const auto findings = apply_rule("slow_pairs", copies(5, 180));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].certainty, Certainty::likely);
  EXPECT_EQ(findings[0].title, "7 of 56 pairs run at less than 80 % of the usual speed, mainly those from GPU5, read");
  EXPECT_THAT(text_of(findings[0]), HasSubstr("read: 56 pairs, usual 400.00 GB/s; GPU0 <- GPU5 180.00 GB/s"));
  EXPECT_THAT(text_of(findings[0]), HasSubstr("and 4 more."));
  EXPECT_THAT(text_of(findings[0]), HasSubstr("Check the links of GPU5"));
}

/// Exchanges between all of `hosts` with two ranks each: 50 GB/s inside a host, 10 between hosts, 1 with host `slow`.
Run exchanges(int hosts, int slow) {
  Run run;
  const int ranks = 2 * hosts;
  for (int a = 0; a < ranks; ++a)
    for (int b = a + 1; b < ranks; ++b)
      for (const std::uint64_t bytes : {std::uint64_t{8}, std::uint64_t{4} << 20}) {
        const bool inside = a / 2 == b / 2, is_slow = !inside && (a / 2 == slow || b / 2 == slow);
        CaseRecord c{
            .key = {.kind = CaseKind::copy, .collective = "sendrecv", .backend = "mpi", .bytes = bytes, .ranks = 2}};
        c.key.nodes = inside ? 1 : 2;
        c.key.group = fmt::format("node{}:{}<->node{}:{}", a / 2, a % 2, b / 2, b % 2);
        const double GBps = inside ? 50 : is_slow ? 1 : 10;
        c.time_s = bytes == 8 ? (inside ? 1e-6 : 20e-6) : static_cast<double>(bytes) / (GBps * 1e9);
        c.algbw_GBps = static_cast<double>(bytes) / *c.time_s * 1e-9;
        run.cases.push_back(std::move(c));
      }
  return run;
}

TEST(SlowPairs, NameAHostWhoseSlowLinkSlowsHalfOfAllPairs) {
  for (const int hosts : {3, 4, 8}) {
    const auto findings = apply_rule("slow_pairs", exchanges(hosts, 1));
    ASSERT_THAT(findings, SizeIs(1));  // the small messages are as fast as is usual, inside a host and between hosts
    EXPECT_THAT(findings[0].title, HasSubstr("mainly those with node1:0, node1:1, sendrecv at 4 MiB"));
    EXPECT_THAT(text_of(findings[0]), HasSubstr("usual 50.00 GB/s inside a host, 10.00 GB/s between hosts"));
    EXPECT_THAT(text_of(findings[0]), HasSubstr("ethtool"));
  }
  EXPECT_THAT(apply_rule("slow_pairs", exchanges(4, 99)), IsEmpty());
}

TEST(SlowPairs, NameTheSlowestEndFirst) {
  auto run = copies(5, 40);
  for (CaseRecord& c : run.cases)
    if (c.key.group->ends_with("GPU2")) c.algbw_GBps = 200;
  const auto findings = apply_rule("slow_pairs", run);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0].title, HasSubstr("mainly those from GPU5, GPU2, read"));
}

TEST(SlowPairs, IgnoreSmallDifferences) {
  EXPECT_THAT(apply_rule("slow_pairs", copies(5, 330)), IsEmpty());
  EXPECT_THAT(apply_rule("slow_pairs", quiet_run()), IsEmpty());
}

}  // namespace
}  // namespace busbar::explain::test
