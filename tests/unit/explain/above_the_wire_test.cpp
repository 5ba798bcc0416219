// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/explain/made_up.hpp"

namespace busbar::explain::test {
namespace {

/// busbw of the two largest sizes is 30 GB/s, where the port of a host carries 25 less its headers.
Run above() {
  busbar::Run run = quiet_run();
  add_gpus(run);
  for (CaseRecord& c : run.cases)
    set_bandwidth(c, static_cast<double>(c.key.bytes) / (c.key.bytes >= (8U << 20) ? 20e9 : 1e9), 1.5);
  return run;
}

TEST(AboveTheWire, NamesTheChosenAlgorithm) {
  busbar::Run run = above();
  auto findings = apply_rule("above_the_wire", run);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].certainty, Certainty::likely);
  EXPECT_EQ(findings[0].title, "busbw exceeds the link bandwidth in 2 of 22 cases");
  EXPECT_THAT(text_of(findings[0]), HasSubstr("GB/s ceiling of a flat ring: network between nodes"));
  EXPECT_THAT(text_of(findings[0]), HasSubstr("does not say which algorithm"));
  for (CaseRecord& c : run.cases) c.choice = LibraryChoice{.algorithm = "tree", .protocol = "simple", .channels = 16};
  findings = apply_rule("above_the_wire", run);
  EXPECT_EQ(findings.at(0).certainty, Certainty::known);
  EXPECT_THAT(text_of(findings.at(0)), HasSubstr("NCCL used tree/simple/16. In a tree over two nodes"));
  for (CaseRecord& c : run.cases) c.choice->algorithm = "ring";
  EXPECT_THAT(text_of(apply_rule("above_the_wire", run).at(0)),
              HasSubstr("hardware facts behind the ceiling are wrong"));
}

TEST(AboveTheWire, ComparesWithNvlinkInsideANode) {
  busbar::Run run = above();
  run.head.nodes = 1;
  run.head.hosts.resize(1);
  for (CaseRecord& c : run.cases) {
    c.key.nodes = 1;
    set_bandwidth(c, *c.time_s / 16, 1.5);  // 480 GB/s
    c.choice = LibraryChoice{.algorithm = "nvls", .protocol = "simple", .channels = 16};
  }
  EXPECT_THAT(apply_rule("above_the_wire", run), IsEmpty()) << "no NVLinks are known";
  for (Gpu& gpu : run.head.hosts[0].gpus) gpu.nvlinks = 18, gpu.nvlink_version = "4.0";
  const auto findings = apply_rule("above_the_wire", run);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(text_of(findings[0]),
              HasSubstr("of the 450.00 GB/s ceiling of a flat ring: NVLinks between GPUs of a node"));
  EXPECT_THAT(text_of(findings[0]), HasSubstr("NVLink switches reduce the data"));
}

TEST(AboveTheWire, IsSilentBelowIt) {
  busbar::Run run = quiet_run();
  add_gpus(run);
  EXPECT_THAT(apply_rule("above_the_wire", run), IsEmpty());
  EXPECT_THAT(apply_rule("above_the_wire", quiet_run()), IsEmpty());
}

}  // namespace
}  // namespace busbar::explain::test
