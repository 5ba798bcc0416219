// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "core/units.hpp"
#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

Judgement check_host_container_limits(const HostFacts& h, std::size_t ranks) {
  constexpr std::uint64_t rank_bytes = 256ULL << 20;
  std::string read = h.host.container ? fmt::format("in {}", *h.host.container) : "no container seen";
  State state = State::ok;
  if (h.host.cpu_quota) {
    state = State::warning;
    read += fmt::format("; a quota of {:.3g} CPUs of {}", *h.host.cpu_quota, h.host.threads.value_or(0));
  }
  if (h.available_bytes) {
    read += h.available_bytes < rank_bytes * ranks
                ? fmt::format("; {} MiB of memory left for {}", *h.available_bytes >> 20, plural(ranks, "rank"))
                : "; no quota of memory that matters";
    if (h.available_bytes < rank_bytes * ranks) state = State::failed;
  }
  return {.state = state, .read = read};
}

std::vector<Finding> check_container_limits(const Facts& f) {
  std::vector<Judgement> judgements;
  for (std::size_t h = 0; h < f.hosts.size(); ++h)
    judgements.push_back(check_host_container_limits(f.hosts[h], ranks_of(f, static_cast<int>(h)).size()));
  return by_host(f, judgements);
}

}  // namespace
}  // namespace busbar::preflight

namespace busbar {

extern const preflight::Check container_limits{
    .name = "container_limits",
    .stage = preflight::Stage::host,
    .about = "control groups that give less than the host has",
    .expected = "no quota of processor time below the CPUs that ranks may use, and memory for each rank",
    .why =
        "a quota stops all ranks of the host for some milliseconds of each period, which every collective "
        "waits for",
    .advice =
        "Docker: without --cpus, or --cpuset-cpus instead; Kubernetes: requests equal to limits with the "
        "static CPU manager; Slurm: --exclusive.",
    .judge = preflight::check_container_limits,
};

}  // namespace busbar
