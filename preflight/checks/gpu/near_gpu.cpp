// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

const Gpu* gpu_of(const Facts& f, const RankFacts& r) {
  for (const Gpu& gpu : f.hosts[static_cast<std::size_t>(r.host)].host.gpus)
    if (gpu.uuid && gpu.uuid == r.gpu.uuid) return &gpu;
  return nullptr;
}

std::vector<CheckResult> check_near_gpu(const Facts& f) {
  std::vector<CheckResult> findings;
  int known = 0;
  for (std::size_t i = 0; i < f.ranks.size(); ++i) {
    const RankFacts& r = f.ranks[i];
    const Gpu* const gpu = gpu_of(f, r);
    if (gpu == nullptr || !gpu->numa_node || r.place.numa_nodes.empty()) continue;
    ++known;
    if (std::ranges::find(r.place.numa_nodes, *gpu->numa_node) == r.place.numa_nodes.end())
      findings.push_back(about_ranks(
          State::warning, f, {static_cast<int>(i)},
          fmt::format("{} runs on NUMA node {}; its GPU {} is on node {}", name_ranks(f, {static_cast<int>(i)}),
                      r.place.numa_nodes.front(), gpu->bus.value_or(gpu->name), *gpu->numa_node)));
  }
  if (known == 0) return {not_applicable("no rank has a GPU with a known NUMA node")};
  if (findings.empty()) findings.push_back(all_well("each rank runs on the NUMA node of its GPU"));
  return findings;
}

}  // namespace

extern const Check near_gpu{
    .name = "near_gpu",
    .stage = Stage::gpu,
    .about = "distance between the CPUs of each rank and its GPU",
    .expected = "each rank runs on the NUMA node of its GPU",
    .why = "otherwise traffic between a rank and its GPU or network device competes for the link between sockets",
    .advice = "Use mpirun --bind-to numa --map-by ppr:N:numa; nvidia-smi topo -m shows the CPUs near each GPU.",
    .find = check_near_gpu,
};

}  // namespace busbar::preflight
