// SPDX-License-Identifier: Apache-2.0
#include <map>

#include <fmt/core.h>

#include "core/environment/environment.hpp"
#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<CheckResult> check_same_cpu(const Facts& f) {
  std::map<std::pair<int, std::vector<int>>, std::vector<int>> places;
  for (std::size_t r = 0; r < f.ranks.size(); ++r)
    places[{f.ranks[r].host, f.ranks[r].place.cpus}].push_back(static_cast<int>(r));
  std::vector<CheckResult> findings;
  for (const auto& [place, ranks] : places) {
    const auto& [host, cpus] = place;
    const auto usable = f.hosts[static_cast<std::size_t>(host)].usable_cpus;
    const bool bound = usable && std::ssize(cpus) < *usable;  // else cpus_enough reports it
    if (bound && !cpus.empty() && ranks.size() > cpus.size())
      findings.push_back(about_ranks(
          State::failed, f, ranks, fmt::format("{} are bound to CPU {}", name_ranks(f, ranks), format_cpu_list(cpus))));
  }
  if (findings.empty()) findings.push_back(all_well("no CPU set has more ranks than CPUs"));
  return findings;
}

}  // namespace

extern const Check same_cpu{
    .name = "same_cpu",
    .stage = Stage::binding,
    .about = "ranks bound to the same CPU",
    .expected = "no two ranks of a host are bound to the same CPU",
    .why = "these ranks take turns: every message waits for the scheduler, milliseconds instead of microseconds",
    .advice =
        "Each launcher starts binding at the first CPU. Give jobs that share a host separate CPUs (--cpu-set), and "
        "start one launcher per host. mpirun --bind-to core --report-bindings shows the bindings.",
    .find = check_same_cpu,
};

}  // namespace busbar::preflight
