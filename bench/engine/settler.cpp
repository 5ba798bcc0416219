// SPDX-License-Identifier: Apache-2.0
#include "bench/engine/settler.hpp"

#include <algorithm>
#include <array>

#include "core/machine/local_clock.hpp"
#include "core/statistics/summary.hpp"

namespace busbar {
namespace {

constexpr double rest_s = 300e-6;  ///< delay before a woken rank wakes the next: a CPU can go idle meanwhile
constexpr double look_s = 100e-6;  ///< target duration of a block of barriers
constexpr int warm_up = 500;       ///< barriers before the first look, and after sleeping
constexpr int blocks = 9, most_in_a_block = 32;

int barriers_in_a_block(double barrier_s) {
  return std::clamp(static_cast<int>(look_s / blocks / std::max(barrier_s, 1e-7)), 1, most_in_a_block);
}

}  // namespace

void SettleRule::saw(double barrier_s) {
  seen_s_.insert(std::ranges::upper_bound(seen_s_, barrier_s), barrier_s);
  last_s_ = barrier_s;
}

bool SettleRule::more(double at_least_s, double settled_s, double left_s) const {
  return settled_s < at_least_s || (far() && settled_s + step_s <= std::min(most_s, most_of_left * left_s));
}

Settler::Settler(Group& group, const std::vector<int>& hosts, std::optional<double> known_s)
    : group_(group), ring_(group, hosts), rule_(known_s) {
  facts_.known_barrier_s = known_s;
  const std::int64_t begin = steady_ns();
  group_.barrier();
  group_.barrier();
  std::array took{seconds_since(begin) / 2};
  group_.max(took);
  block_ = barriers_in_a_block(took[0]);
}

/// Median over blocks of barriers, or the least if CPUs are shared: most blocks wait for a CPU then. The maximum over
/// ranks.
double Settler::barrier_s(bool alone) {
  std::array<double, blocks> took_s{};
  for (double& took : took_s) {
    const std::int64_t begin = steady_ns();
    for (int i = 0; i < block_; ++i) group_.barrier();
    took = seconds_since(begin) / block_;
  }
  std::array mine{alone ? median(took_s) : std::ranges::min(took_s)};
  group_.max(mine);
  block_ = barriers_in_a_block(mine[0]);
  return mine[0];
}

void Settler::look_at_barrier(bool alone) {
  rule_.saw(barrier_s(alone));
  facts_.best_barrier_s = rule_.best_s();
  facts_.usual_barrier_s = rule_.quartile_s();  // excludes known_s: it would decrease from launch to launch
}

void Settler::settle(double at_least_s, double left_s) {
  const std::int64_t begin = steady_ns();
  ++facts_.times;
  // A step takes longer than planned where CPUs are shared: rank 0's clock decides.
  for (double settled_s = 0; rule_.more(at_least_s, settled_s, left_s);
       settled_s = group_.broadcast(seconds_since(begin))) {
    facts_.wakes += ring_.turn(SettleRule::step_s, rest_s);
    for (int i = 0; i < warm_up; ++i) group_.barrier();
    look_at_barrier(true);
  }
  rule_.settled();
  facts_.gave_up = rule_.gave_up();
  facts_.seconds += seconds_since(begin);
}

void Settler::begin(double left_s, bool settles) {
  for (int i = 0; settles && i < warm_up; ++i) group_.barrier();
  look_at_barrier(settles);
  facts_.first_barrier_s = rule_.last_s();
  facts_.near_at_start = settles && rule_.near();
  if (!settles || facts_.near_at_start) return;
  settle(std::min(SettleRule::first_s, SettleRule::first_share * left_s), left_s);
  first_time_s_ = facts_.seconds;
}

void Settler::watch_barrier(double run_s, double left_s, bool settles) {
  look_at_barrier(settles);
  ++facts_.looks;
  if (!rule_.far()) return;
  ++facts_.far;
  if (!settles) return;
  std::array both{facts_.seconds - first_time_s_, run_s};
  group_.max(both);
  if (rule_.worth(both[0], both[1]) && rule_.more(0, 0, left_s)) settle(0, left_s);
}

}  // namespace busbar
