// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "core/base/units.hpp"
#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

Judgement check_host_container_limits(const HostFacts& h, std::size_t ranks) {
  constexpr std::uint64_t rank_bytes = 256ULL << 20;
  std::string read = h.host.container ? fmt::format("in {}", *h.host.container) : "no container detected";
  State state = State::ok;
  if (h.host.cpu_quota) {
    state = State::warning;
    read += fmt::format("; CPU quota: {:.3g} of {} CPUs", *h.host.cpu_quota, h.host.threads.value_or(0));
  }
  if (h.available_bytes) {
    read += h.available_bytes < rank_bytes * ranks
                ? fmt::format("; {} MiB of memory available for {}", *h.available_bytes >> 20, plural(ranks, "rank"))
                : "; enough memory";
    if (h.available_bytes < rank_bytes * ranks) state = State::failed;
  }
  return {.state = state, .read = read};
}

std::vector<CheckResult> check_container_limits(const Facts& f) { return by_host(f, check_host_container_limits); }

}  // namespace

extern const Check container_limits{
    .name = "container_limits",
    .stage = Stage::host,
    .about = "cgroup limits on CPU time and memory",
    .expected = "no CPU quota below the CPUs that ranks may use; enough memory for each rank",
    .why = "a CPU quota pauses the host's ranks for some milliseconds per period, and every collective waits for them",
    .advice =
        "Docker: drop --cpus, or use --cpuset-cpus instead; Kubernetes: set requests equal to limits with the static "
        "CPU manager; Slurm: --exclusive.",
    .find = check_container_limits,
};

}  // namespace busbar::preflight
