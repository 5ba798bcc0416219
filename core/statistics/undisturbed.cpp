// SPDX-License-Identifier: Apache-2.0
#include "core/statistics/undisturbed.hpp"

#include <algorithm>
#include <vector>

#include "core/statistics/summary.hpp"

namespace busbar {
namespace {

/// 2nd percentile of what is known; empty if nothing is.
std::optional<double> least(std::span<const Round> rounds, std::optional<double> Round::* figure) {
  constexpr double percent = 2;
  std::vector<double> known;
  for (const Round& r : rounds)
    if (r.*figure) known.push_back(*(r.*figure));
  if (known.empty()) return std::nullopt;
  std::ranges::sort(known);
  return percentile(known, percent);
}

bool is_above(std::optional<double> figure, double ratio, std::optional<double> least) {
  return figure && least && *figure > ratio * *least;
}

}  // namespace

std::optional<double> full_pace_s(std::span<const Round> rounds) { return least(rounds, &Round::pace_s); }

Undisturbed::Undisturbed(std::span<const Round> rounds)
    : pace_s_(full_pace_s(rounds)), barrier_s_(least(rounds, &Round::barrier_s)) {
  const auto held = std::ranges::count_if(rounds, [this](const Round& r) { return holds(r); });
  is_usual_ = static_cast<double>(held) >= least_undisturbed_share * static_cast<double>(rounds.size());
}

bool Undisturbed::is_slowed(const Round& r) const { return is_above(r.pace_s, slowed_ratio, pace_s_); }

bool Undisturbed::is_far(const Round& r) const { return is_above(r.barrier_s, far_ratio, barrier_s_); }

}  // namespace busbar
