// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "core/base/units.hpp"
#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

Judgement judge_cpus(const HostFacts& h, std::size_t ranks) {
  if (!h.usable_cpus) return {.state = State::unknown, .read = "number of usable CPUs unknown"};
  const auto& lab = h.host.lab;  // hosts of a lab share CPUs by design
  const State otherwise = lab ? State::warning : State::failed;
  return {.state = ranks <= static_cast<std::size_t>(*h.usable_cpus) ? State::ok : otherwise,
          .read = fmt::format("{} on {}{}", plural(ranks, "rank"), plural(*h.usable_cpus, "CPU"),
                              lab ? fmt::format(" ({})", *lab) : "")};
}

std::vector<CheckResult> check_cpus_enough(const Facts& f) { return by_host(f, judge_cpus); }

}  // namespace

extern const Check cpus_enough{
    .name = "cpus_enough",
    .stage = Stage::binding,
    .about = "enough CPUs for the ranks of each host",
    .expected = "no host has more ranks than usable CPUs",
    .why = "waiting ranks spin: if they share a CPU, they block the rank that they wait for",
    .advice = "Start fewer ranks per host (mpirun --map-by ppr:N:node); keep hostfile slots within the number of CPUs.",
    .find = check_cpus_enough,
};

}  // namespace busbar::preflight
