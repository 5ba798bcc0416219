// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

constexpr std::array<std::string_view, 7> words{"X", "PSB", "PIX", "PXB", "PHB", "NODE", "SYS"};

/// Distance to the nearest RDMA device in a row of GpuLinks; empty if no distance is known.
std::optional<std::string_view> nearest(const Host& h, const std::vector<std::optional<std::string>>& row) {
  std::size_t best = words.size();
  for (std::size_t c = 0; c < std::min(row.size(), h.gpu_links->columns.size()); ++c) {
    if (std::ranges::find(h.rdma, h.gpu_links->columns[c], &RdmaPort::device) == h.rdma.end()) continue;
    const auto at = std::ranges::find(words, row[c].value_or(""));
    best = std::min(best, static_cast<std::size_t>(at - words.begin()));
  }
  return best == words.size() ? std::nullopt : std::optional(words[best]);
}

std::vector<CheckResult> check_gpu_to_nic(const Facts& f) {
  if (auto none = without_gpus(f)) return {*std::move(none)};
  std::vector<CheckResult> findings;
  int known = 0;
  for (std::size_t h = 0; h < f.hosts.size(); ++h) {
    const Host& host = f.hosts[h].host;
    for (std::size_t g = 0; host.gpu_links && g < host.gpu_links->rows.size(); ++g) {
      const auto word = nearest(host, host.gpu_links->rows[g]);
      known += word ? 1 : 0;
      if (word == "NODE" || word == "SYS")
        findings.push_back(about_hosts(State::warning, f, {static_cast<int>(h)},
                                       fmt::format("{}, GPU{}: {} to its nearest RDMA device", host.name, g, *word)));
    }
  }
  if (known == 0) return {not_applicable("no host has GPUs and RDMA devices with known PCIe positions")};
  if (findings.empty()) findings.push_back(all_well("each GPU has an RDMA device behind its own host bridge"));
  return findings;
}

}  // namespace

extern const Check gpu_to_nic{
    .name = "gpu_to_nic",
    .stage = Stage::gpu,
    .about = "distance between GPUs and network devices",
    .expected = "each GPU has an RDMA device behind the same PCIe switches (PIX, PXB) or host bridge (PHB)",
    .why = "by default NCCL uses GPUDirect RDMA only across PCIe switches; it is slow over the link between sockets",
    .advice =
        "Run nvidia-smi topo -m. Use the GPUs near a device, or look for a nearer device whose port is down (ibstat).",
    .find = check_gpu_to_nic,
};

}  // namespace busbar::preflight
