// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<Finding> check_peer_access(const Facts& f) {
  if (auto none = without_gpus(f)) return {*std::move(none)};
  std::vector<Judgement> judgements;
  bool asked = false;
  for (const RankFacts& r : f.ranks) {
    asked = asked || r.gpu.how == "CUDA's driver";
    std::vector<std::string> numbers;
    for (const int g : r.gpu.no_peer_access) numbers.push_back(std::to_string(g));
    judgements.push_back({.state = numbers.empty() ? State::ok : State::warning,
                          .read = numbers.empty() ? "its GPU reaches all GPUs that it sees"
                                                  : fmt::format("its GPU does not reach GPUs {}", list(numbers))});
  }
  if (!asked) return {unknown("CUDA's driver (libcuda.so.1) could not be asked")};
  return by_rank(f, judgements);
}

}  // namespace
}  // namespace busbar::preflight

namespace busbar {

extern const preflight::Check peer_access{
    .name = "peer_access",
    .stage = preflight::Stage::gpu,
    .about = "whether GPUs of a host reach each other's memory",
    .expected = "each GPU that a rank sees can reach all others that it sees",
    .why = "what they send each other then goes through the memory of the host, several times slower",
    .advice =
        "nvidia-smi topo -p2p r shows why; on virtual machines the hypervisor has to pass GPUs on together; "
        "ACS redirects (see pci_isolation) take it away.",
    .judge = preflight::check_peer_access,
};

}  // namespace busbar
