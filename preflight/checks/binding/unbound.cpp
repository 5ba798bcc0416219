// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<CheckResult> check_unbound(const Facts& f) {
  return by_rank(f, [&](const RankFacts& r) -> Judgement {
    const auto threads = f.hosts[static_cast<std::size_t>(r.host)].usable_cpus;
    const auto cpus = static_cast<int>(r.place.cpus.size());
    if (cpus == 0 || !threads) return {.state = State::unknown, .read = "CPU affinity unknown"};
    if (cpus < *threads || *threads == 1)
      return {.state = State::ok, .read = fmt::format("bound to {} of {} CPUs", cpus, *threads)};
    const bool alone = ranks_of(f, r.host).size() == 1;
    return {
        .state = alone ? State::ok : State::warning,
        .read = fmt::format("may run on all {} CPUs{}", cpus, alone ? ", shared with no other rank of the job" : "")};
  });
}

}  // namespace

extern const Check unbound{
    .name = "unbound",
    .stage = Stage::binding,
    .about = "binding of ranks to separate CPUs",
    .expected = "on a host with several ranks, each rank is bound to some of the host's CPUs",
    .why =
        "the kernel moves unbound ranks away from their memory, GPU and network device: results vary from launch to "
        "launch",
    .advice =
        "Open MPI: mpirun --bind-to core (or numa) --report-bindings; MPICH: mpirun -bind-to core; Intel MPI: "
        "I_MPI_PIN_DOMAIN=core; srun --cpu-bind=cores.",
    .find = check_unbound,
};

}  // namespace busbar::preflight
