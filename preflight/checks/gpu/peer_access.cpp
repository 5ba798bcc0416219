// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<CheckResult> check_peer_access(const Facts& f) {
  if (auto none = without_gpus(f)) return {*std::move(none)};
  if (std::ranges::none_of(f.ranks, [](const RankFacts& r) { return r.gpu.how == "CUDA driver"; }))
    return {unknown("cannot query the CUDA driver (libcuda.so.1)")};
  return by_rank(f, [](const RankFacts& r) -> Judgement {
    if (r.gpu.no_peer_access.empty()) return {.state = State::ok, .read = "peer access to all visible GPUs"};
    std::vector<std::string> numbers;
    for (const int g : r.gpu.no_peer_access) numbers.push_back(std::to_string(g));
    return {.state = State::warning, .read = fmt::format("no peer access to GPU {}", list(numbers))};
  });
}

}  // namespace

extern const Check peer_access{
    .name = "peer_access",
    .stage = Stage::gpu,
    .about = "peer access between the GPUs of a host",
    .expected = "each rank's GPU can access the memory of all GPUs visible to the rank",
    .why = "without peer access, transfers between GPUs go through host memory, several times slower",
    .advice =
        "nvidia-smi topo -p2p r shows why. On virtual machines, the hypervisor must pass the GPUs through together. "
        "ACS redirects (see pci_isolation) disable peer access.",
    .find = check_peer_access,
};

}  // namespace busbar::preflight
