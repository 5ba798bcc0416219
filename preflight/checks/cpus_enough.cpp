// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "core/units.hpp"
#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<Finding> check_cpus_enough(const Facts& f) {
  std::vector<Judgement> judgements;
  for (std::size_t h = 0; h < f.hosts.size(); ++h) {
    const auto ranks = ranks_of(f, static_cast<int>(h)).size();
    const auto cpus = f.hosts[h].usable_cpus;
    const auto& lab = f.hosts[h].host.lab;  // whose hosts share CPUs by design
    if (!cpus)
      judgements.push_back({.state = State::unknown, .read = "how many CPUs may be used cannot be read"});
    else
      judgements.push_back({.state = ranks <= static_cast<std::size_t>(*cpus) ? State::ok
                                     : lab                                    ? State::warning
                                                                              : State::failed,
                            .read = fmt::format("{} on {}{}", plural(ranks, "rank"), plural(*cpus, "CPU"),
                                                lab ? fmt::format(" ({})", *lab) : "")});
  }
  return by_host(f, judgements);
}

}  // namespace
}  // namespace busbar::preflight

namespace busbar {

extern const preflight::Check cpus_enough{
    .name = "cpus_enough",
    .stage = preflight::Stage::binding,
    .about = "as many CPUs as ranks on each host",
    .expected = "no host has more ranks than CPUs that they may use",
    .why = "ranks that wait for a message spin: where they share a CPU, the one that would answer does not run",
    .advice = "Start fewer ranks a host (mpirun --map-by ppr:N:node); slots of a hostfile are not to exceed CPUs.",
    .judge = preflight::check_cpus_enough,
};

}  // namespace busbar
