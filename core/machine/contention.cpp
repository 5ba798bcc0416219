// SPDX-License-Identifier: Apache-2.0
#include "core/machine/contention.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace busbar {
namespace {

/// Above these thresholds a measurement counts as contended. Measured on a 2-core virtual machine with 2 ranks in
/// allreduce of 8 B for 0.5 s, many times. On an idle machine, ranks waited 0 to 3.3 %, and others used 0 to 0.04 CPUs.
/// With one busy loop, the rank on its CPU waited 50 %, and others used 0.5 CPUs.
constexpr double most_waited = 0.05;  ///< of a rank's time; also the limit for lost time
constexpr double most_stolen = 0.03;  ///< of all CPUs' time; more than a tick of 10 ms in the shortest measurement
constexpr double most_others = 0.1;   ///< CPUs that others used and ranks lacked
constexpr double least_host_s = 0.2;  ///< below this, ticks of 10 ms are too coarse

/// What happened to the ranks; the worst rank for each reason.
std::vector<std::string> rank_reasons(std::span<const Usage> ranks) {
  double waited = 0, lost = 0;
  std::uint64_t throttled = 0;
  for (const Usage& rank : ranks) {
    if (!(rank.wall_s > 0)) continue;
    waited = std::max(waited, rank.waited_s.value_or(0) / rank.wall_s);
    lost = std::max(lost, lost_s(rank).value_or(0) / rank.wall_s);
    throttled = std::max(throttled, rank.throttled.value_or(0));
  }
  std::vector<std::string> reasons;
  if (waited > most_waited)
    reasons.push_back(fmt::format("runnable but not running {:.0f} % of the time", waited * 100));
  if (lost > most_waited) reasons.push_back(fmt::format("lost {:.0f} % to interrupts or the hypervisor", lost * 100));
  if (throttled > 0) reasons.push_back(fmt::format("was stopped {} times by its CPU quota", throttled));
  return reasons;
}

/// Average number of CPUs that processes other than the ranks used.
std::optional<double> used_by_others(std::span<const Usage> ranks) {
  const Usage& host = ranks.front();
  if (!host.host_busy_s) return std::nullopt;
  double own_s = 0;
  for (const Usage& rank : ranks) own_s += rank.cpu_s;
  return std::max(0.0, *host.host_busy_s - own_s) / host.wall_s;
}

std::vector<std::string> host_reasons(std::span<const Usage> ranks, int cpus) {
  std::vector<std::string> reasons;
  const Usage& host = ranks.front();
  if (host.wall_s < least_host_s) return reasons;
  const double stolen = host.host_stolen_s.value_or(0) / (host.wall_s * cpus);
  if (stolen > most_stolen)
    reasons.push_back(fmt::format("the hypervisor took {:.0f} % of the CPUs' time", stolen * 100));
  const double others = used_by_others(ranks).value_or(0);
  const double to_spare = std::max(0.0, cpus - static_cast<double>(ranks.size()));
  if (others > to_spare + most_others)
    reasons.push_back(fmt::format("other processes used {:.1f} of {} CPUs", others, cpus));
  return reasons;
}

}  // namespace

Contention contention_in_batch(const Usage& rank) {
  Contention found{.reasons = rank_reasons({&rank, 1})};
  if (!rank.waited_s && rank.involuntary > 0)
    found.reasons.push_back(fmt::format("was sent off its CPU {} times", rank.involuntary));
  return found;
}

Contention contention_in_case(std::span<const Usage> ranks, int cpus) {
  Contention found{.reasons = rank_reasons(ranks)};
  if (!ranks.empty())
    for (auto& reason : host_reasons(ranks, cpus)) found.reasons.push_back(std::move(reason));
  return found;
}

}  // namespace busbar
