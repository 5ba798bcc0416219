// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

Judgement check_host_pci_isolation(const Host& h) {
  std::vector<std::string> odd;
  bool known = false;
  for (const Gpu& g : h.gpus) {
    known = known || g.acs_redirect.has_value();
    if (g.acs_redirect == true && g.ats != true) odd.push_back("ACS redirects above GPU " + g.bus.value_or("?"));
  }
  for (const RdmaPort& p : h.rdma)
    if (p.acs_redirect == true && p.ats != true) odd.push_back("ACS redirects above " + p.device);
  const std::string iommu = h.iommu.value_or("unknown");
  if (h.virtualisation == "bare metal" && iommu.find("DMA") != std::string::npos)
    odd.push_back("translating IOMMU: " + iommu);
  if (!odd.empty()) return {.state = State::warning, .read = list(odd, 3)};
  if (!known)
    return {.state = State::unknown,
            .read = "ACS unknown (no bridge above the GPUs, or only root can read it), IOMMU: " + iommu};
  return {.state = State::ok, .read = "no ACS redirect, IOMMU: " + iommu};
}

std::vector<CheckResult> check_pci_isolation(const Facts& f) {
  if (auto none = without_gpus(f)) return {*std::move(none)};
  return by_host(f, [](const HostFacts& h, std::size_t) { return check_host_pci_isolation(h.host); });
}

}  // namespace

extern const Check pci_isolation{
    .name = "pci_isolation",
    .stage = Stage::gpu,
    .about = "ACS redirects, ATS and the IOMMU above GPUs and RDMA devices",
    .expected =
        "bare metal: no ACS redirect above GPUs and RDMA devices, no translating IOMMU; virtual machines: ATS where "
        "ACS redirects",
    .why = "otherwise transfers between two PCI devices go through the CPU: GPUDirect is several times slower or hangs",
    .advice =
        "Bare metal: disable ACS (BIOS, or setpci on each bridge) and boot with iommu=pt. Virtual machines need ACS: "
        "enable ATS in the devices' firmware. See NCCL User Guide, troubleshooting, PCI Access Control Services.",
    .find = check_pci_isolation,
};

}  // namespace busbar::preflight
