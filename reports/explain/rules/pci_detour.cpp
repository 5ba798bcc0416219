// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/core.h>

#include "core/record/run.hpp"
#include "reports/explain/network.hpp"
#include "reports/explain/rule.hpp"
#include "reports/explain/words.hpp"
#include "reports/text/text.hpp"

/// Source: NVIDIA NCCL, troubleshooting, "PCI Access Control Services (ACS)".
namespace busbar::explain {
namespace {

/// True if a bridge above the device redirects peer-to-peer transfers to the CPU (ACS) and ATS does not avoid that.
template <class Device>
bool detours(const Device& device) {
  return device.acs_redirect.value_or(false) && !device.ats.value_or(false);
}

/// True if some pair of GPUs has no NVLink and so communicates over PCIe.
bool over_pcie(const Host& host) {
  if (!host.gpu_links) return false;
  const auto& [columns, rows] = *host.gpu_links;
  for (const auto& row : rows)
    for (std::size_t i = 0; i < std::min({row.size(), columns.size(), rows.size()}); ++i)
      if (columns[i].starts_with("GPU") && row[i] && *row[i] != "X" && !row[i]->starts_with("NV")) return true;
  return false;
}

/// Devices of a host that need peer-to-peer transfers and whose transfers go through the CPU.
std::vector<std::string> devices(const Host& host, bool several_nodes) {
  std::vector<std::string> names;
  if (several_nodes || over_pcie(host))
    for (std::size_t i = 0; i < host.gpus.size(); ++i)
      if (detours(host.gpus[i])) names.push_back(fmt::format("GPU{}", i));
  for (const RdmaPort* port : active_ports(host))
    if (several_nodes && detours(*port)) names.push_back(report::shortened(port->device));
  return names;
}

bool detour_text(const Host& host) {
  const auto tells = [](const auto& device) { return device.acs_redirect.has_value(); };
  return std::ranges::any_of(host.gpus, tells) || std::ranges::any_of(host.rdma, tells);
}

std::vector<Finding> find_pci_detour(const Run& run) {
  if (!uses_gpus(run)) return {};
  Finding f{.certainty = Certainty::known,
            .title = "PCI bridges redirect peer-to-peer traffic of GPUs and network devices through the CPU (ACS)",
            .tries = {"On bare metal: disable it if policy allows (firmware; kernel parameter "
                      "pci=disable_acs_redir=...; lspci -vvv shows ACSCtl), and compare.",
                      "In a guest: enable ATS in the hypervisor and on the network device (Mellanox: mlxconfig "
                      "ATS_ENABLED=1)."}};
  for (const Host& host : run.head.hosts) {
    const auto names = devices(host, nodes(run) > 1);
    if (names.empty()) continue;
    f.where.hosts.push_back(host.name);
    if (f.evidence.size() < 3)
      f.evidence.push_back(fmt::format("{}: {}; ATS is not enabled; IOMMU: {}.", host.name, report::list(names, 8),
                                       report::shortened(host.iommu.value_or("unknown"))));
  }
  if (f.where.hosts.empty()) return {};
  f.evidence.emplace_back(
      "NVIDIA warns that direct transfers (GPUDirect RDMA, peer-to-peer) then run much slower, or hang.");
  return {f};
}

}  // namespace

extern const Rule pci_detour{
    .name = "pci_detour",
    .about = "PCI access control (ACS) redirects transfers between devices through the CPU",
    .order = 125,
    .suspicious = true,
    .has_data = [](const Run& run) { return std::ranges::any_of(run.head.hosts, detour_text); },
    .look = find_pci_detour,
};

}  // namespace busbar::explain
