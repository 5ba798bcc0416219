// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/explain/made_up.hpp"

namespace busbar::explain::test {
namespace {

/// GPU0 of host a, and its network device, are below bridges that redirect.
Run redirected() {
  Run run = quiet_run();
  add_gpus(run);
  Host& host = run.head.hosts[0];
  host.gpus[0].acs_redirect = host.rdma[0].acs_redirect = true;
  host.gpus[1].acs_redirect = false;
  host.iommu = "DMA-FQ";
  return run;
}

TEST(PciDetour, NamesDevicesAndTheIommu) {
  const auto findings = apply_rule("pci_detour", redirected());
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].certainty, Certainty::known);
  EXPECT_EQ(findings[0].evidence.at(0), "a: GPU0, mlx5_0; ATS is not enabled; IOMMU: DMA-FQ.");
  EXPECT_EQ(findings[0].where.hosts, std::vector<std::string>{"a"});
}

TEST(PciDetour, IsAvoidedByAts) {
  busbar::Run run = redirected();
  run.head.hosts[0].gpus[0].ats = true;
  EXPECT_THAT(text_of(apply_rule("pci_detour", run).at(0)), Not(HasSubstr("GPU0")));
  run.head.hosts[0].rdma[0].ats = true;
  EXPECT_THAT(apply_rule("pci_detour", run), IsEmpty());
}

TEST(PciDetour, IsIrrelevantForNvlinkInsideANode) {
  busbar::Run run = redirected();
  run.head.nodes = 1;
  for (CaseRecord& c : run.cases) c.key.nodes = 1;
  EXPECT_THAT(apply_rule("pci_detour", run), IsEmpty());
  run.head.hosts[0].gpu_links->rows = {{"X", "PHB", "PIX"}, {"PHB", "X", "PXB"}};
  EXPECT_EQ(apply_rule("pci_detour", run).at(0).evidence.at(0), "a: GPU0; ATS is not enabled; IOMMU: DMA-FQ.");
}

TEST(PciDetour, IsSilentOnHostMemoryAndUnknownFacts) {
  busbar::Run run = redirected();
  for (CaseRecord& c : run.cases) c.key.memory = "host";
  EXPECT_THAT(apply_rule("pci_detour", run), IsEmpty());
  run = quiet_run();
  add_gpus(run);
  for (Host& host : run.head.hosts)
    for (Gpu& gpu : host.gpus) gpu.acs_redirect = std::nullopt;
  EXPECT_FALSE(try_find<Rule>("pci_detour")->has_data(run));
}

}  // namespace
}  // namespace busbar::explain::test
