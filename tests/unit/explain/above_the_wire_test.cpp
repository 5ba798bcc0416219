// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "tests/unit/explain/made_up.hpp"

namespace busbar::explain::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// busbw of the largest size is 40 GB/s, where the ports of a host carry 25.
Run above() {
  busbar::Run run = quiet();
  give_gpus(run);
  for (CaseRecord& c : run.cases)
    set_bandwidth(c, static_cast<double>(c.key.bytes) / (c.key.bytes >= (8U << 20) ? 26.7e9 : 1e9), 1.5);
  return run;
}

TEST(AboveTheWire, IsExplainedByTheAlgorithmThatWasChosen) {
  busbar::Run run = above();
  auto findings = said_by("above_the_wire", run);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].certainty, Certainty::likely);
  EXPECT_EQ(findings[0].title, "busbw is above what the links carry in 2 of 22 cases");
  EXPECT_THAT(text_of(findings[0]),
              HasSubstr("busbw 40.05 GB/s, above the 25 GB/s that the active RDMA ports of a host carry"));
  EXPECT_THAT(text_of(findings[0]), HasSubstr("does not say which algorithm"));
  for (CaseRecord& c : run.cases) c.choice = LibraryChoice{.algorithm = "tree", .protocol = "simple", .channels = 16};
  findings = said_by("above_the_wire", run);
  EXPECT_EQ(findings.at(0).certainty, Certainty::known);
  EXPECT_THAT(text_of(findings.at(0)), HasSubstr("NCCL used tree/simple/16. Between two nodes a tree"));
}

TEST(AboveTheWire, InsideANodeNvlinksAreTheWire) {
  busbar::Run run = above();
  run.head.nodes = 1;
  run.head.hosts.resize(1);
  for (CaseRecord& c : run.cases) {
    c.key.nodes = 1;
    set_bandwidth(c, *c.time_s / 12, 1.5);  // 480 GB/s
    c.choice = LibraryChoice{.algorithm = "nvls", .protocol = "simple", .channels = 16};
  }
  EXPECT_THAT(said_by("above_the_wire", run), IsEmpty()) << "no NVLinks are known";
  for (Gpu& gpu : run.head.hosts[0].gpus) gpu.nvlinks = 18, gpu.nvlink_version = "4.0";
  const auto findings = said_by("above_the_wire", run);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(text_of(findings[0]), HasSubstr("above the 450 GB/s that the NVLinks of a GPU carry in one direction"));
  EXPECT_THAT(text_of(findings[0]), HasSubstr("The NVLink switches add up"));
}

TEST(AboveTheWire, IsSilentBelowIt) {
  busbar::Run run = quiet();
  give_gpus(run);
  EXPECT_THAT(said_by("above_the_wire", run), IsEmpty());
  EXPECT_THAT(said_by("above_the_wire", quiet()), IsEmpty());
  run = above();
  for (CaseRecord& c : run.cases) c.key.collective = "alltoall";
  EXPECT_THAT(said_by("above_the_wire", run), IsEmpty());
}

}  // namespace
}  // namespace busbar::explain::test
