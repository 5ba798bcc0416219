// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<CheckResult> check_unbound(const Facts& f) {
  std::vector<Judgement> judgements;
  for (const RankFacts& r : f.ranks) {
    const auto threads = f.hosts[static_cast<std::size_t>(r.host)].usable_cpus;
    const auto cpus = static_cast<int>(r.place.cpus.size());
    const bool alone = ranks_of(f, r.host).size() == 1;
    if (cpus == 0 || !threads)
      judgements.push_back({.state = State::unknown, .read = "CPU affinity unknown"});
    else if (cpus < *threads || *threads == 1)
      judgements.push_back({.state = State::ok, .read = fmt::format("bound to {} of {} CPUs", cpus, *threads)});
    else
      judgements.push_back({.state = alone ? State::ok : State::warning,
                            .read = fmt::format("may run on all {} CPUs{}", cpus,
                                                alone ? ", shared with no other rank of the job" : "")});
  }
  return by_rank(f, judgements);
}

}  // namespace
}  // namespace busbar::preflight

namespace busbar {

extern const preflight::Check unbound{
    .name = "unbound",
    .stage = preflight::Stage::binding,
    .about = "binding of ranks to separate CPUs",
    .expected = "on a host with several ranks, each rank is bound to some of the host's CPUs",
    .why =
        "the kernel moves unbound ranks away from their memory, GPU and network device: results vary from launch to "
        "launch",
    .advice =
        "Open MPI: mpirun --bind-to core (or numa) --report-bindings; MPICH: mpirun -bind-to core; Intel MPI: "
        "I_MPI_PIN_DOMAIN=core; srun --cpu-bind=cores.",
    .find = preflight::check_unbound,
};

}  // namespace busbar
