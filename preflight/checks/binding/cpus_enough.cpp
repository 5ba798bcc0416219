// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "core/base/units.hpp"
#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<CheckResult> check_cpus_enough(const Facts& f) {
  std::vector<Judgement> judgements;
  for (std::size_t h = 0; h < f.hosts.size(); ++h) {
    const auto ranks = ranks_of(f, static_cast<int>(h)).size();
    const auto cpus = f.hosts[h].usable_cpus;
    const auto& lab = f.hosts[h].host.lab;  // hosts of a lab share CPUs by design
    if (!cpus)
      judgements.push_back({.state = State::unknown, .read = "number of usable CPUs unknown"});
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
    .about = "enough CPUs for the ranks of each host",
    .expected = "no host has more ranks than usable CPUs",
    .why = "waiting ranks spin: if they share a CPU, they block the rank that they wait for",
    .advice = "Start fewer ranks per host (mpirun --map-by ppr:N:node); keep hostfile slots within the number of CPUs.",
    .find = preflight::check_cpus_enough,
};

}  // namespace busbar
