// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<Finding> judge(const Facts& f) {
  std::vector<Judgement> judgements;
  for (const RankFacts& r : f.ranks) {
    const auto threads = f.hosts[static_cast<std::size_t>(r.host)].usable_cpus;
    const auto cpus = static_cast<int>(r.place.cpus.size());
    const bool alone = ranks_of(f, r.host).size() == 1;
    if (cpus == 0 || !threads)
      judgements.push_back({.state = State::unknown, .read = "its CPUs cannot be read"});
    else if (cpus < *threads || *threads == 1)
      judgements.push_back({.state = State::ok, .read = fmt::format("bound to {} of {} CPUs", cpus, *threads)});
    else
      judgements.push_back({.state = alone ? State::ok : State::warning,
                            .read = fmt::format("may run on all {} CPUs{}", cpus,
                                                alone ? ", which no other rank of the job shares" : "")});
  }
  return by_rank(f, judgements);
}

}  // namespace
}  // namespace busbar::preflight

namespace busbar {

extern const preflight::Check unbound{
    .name = "unbound",
    .stage = preflight::Stage::binding,
    .about = "whether ranks are bound to CPUs of their own",
    .expected = "each rank of a host with several ranks may run on a part of its CPUs only",
    .why =
        "the kernel moves ranks that are not bound, away from their memory, GPU and network device: figures "
        "vary from launch to launch",
    .advice =
        "Open MPI: mpirun --bind-to core (or numa) --report-bindings; MPICH: mpirun -bind-to core; Intel MPI: "
        "I_MPI_PIN_DOMAIN=core; srun --cpu-bind=cores.",
    .judge = preflight::judge,
};

}  // namespace busbar
