// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<CheckResult> check_nvlink(const Facts& f) {
  if (auto none = without_gpus(f)) return {*std::move(none)};
  std::map<std::string, int> most;
  for (const HostFacts& h : f.hosts)
    for (const Gpu& g : h.host.gpus)
      if (g.nvlinks) most[g.name] = std::max(most[g.name], *g.nvlinks);
  if (most.empty()) return {unknown("NVML reports no NVLinks")};
  std::vector<CheckResult> findings;
  for (std::size_t h = 0; h < f.hosts.size(); ++h)
    for (const Gpu& g : f.hosts[h].host.gpus)
      if (g.nvlinks && *g.nvlinks < most[g.name])
        findings.push_back(
            about_hosts(State::failed, f, {static_cast<int>(h)},
                        fmt::format("{}, GPU {}: {} NVLinks up; others of this model have {}", f.hosts[h].host.name,
                                    g.bus.value_or("?"), *g.nvlinks, most[g.name])));
  if (findings.empty()) {
    std::string read;
    for (const auto& [model, links] : most) read += fmt::format("{}{}: {} up", read.empty() ? "" : "; ", model, links);
    findings.push_back(all_well(read));
  }
  return findings;
}

}  // namespace

extern const Check nvlink{
    .name = "nvlink",
    .stage = Stage::gpu,
    .about = "active NVLinks of each GPU",
    .expected = "all GPUs of one model have the same number of NVLinks up on all hosts",
    .why = "a link that is down reduces the bandwidth of every collective, or makes NCCL use PCIe",
    .advice = "Run nvidia-smi nvlink -s on that host; with NVSwitch: systemctl status nvidia-fabricmanager.",
    .find = check_nvlink,
};

}  // namespace busbar::preflight
