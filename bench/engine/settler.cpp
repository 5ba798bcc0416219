// SPDX-License-Identifier: Apache-2.0
#include "bench/engine/settler.hpp"

#include <algorithm>
#include <array>

#include "core/local_clock.hpp"
#include "core/statistics.hpp"

namespace busbar {
namespace {

constexpr double rest_s = 300e-6;   ///< between being woken and waking: long enough for a CPU to go idle
constexpr double look_s = 100e-6;   ///< aimed at, of barriers
constexpr double warm_up_s = 5e-3;  ///< of barriers, after sleeping
constexpr int blocks = 9, most_in_a_block = 32;

}  // namespace

void SettleRule::saw(double barrier_s) {
  last_s_ = barrier_s;
  best_s_ = std::min(best_s_, barrier_s);
}

bool SettleRule::more(bool first, double settled_s) const {
  if (first && settled_s < first_s) return true;
  return far() && settled_s < most_s;
}

Settler::Settler(Group& group, const std::vector<int>& hosts) : group_(group), ring_(group, hosts) {
  const std::int64_t begin = steady_ns();
  group_.barrier();
  group_.barrier();
  std::array took{seconds_since(begin) / 2};
  group_.max(took);
  block_ = std::clamp(static_cast<int>(look_s / blocks / std::max(took[0], 1e-7)), 1, most_in_a_block);
}

/// Median over blocks of barriers, of the slowest rank.
double Settler::barrier_s() {
  std::array<double, blocks> took_s{};
  for (double& took : took_s) {
    const std::int64_t begin = steady_ns();
    for (int i = 0; i < block_; ++i) group_.barrier();
    took = seconds_since(begin) / block_;
  }
  std::array middle{median(took_s)};
  group_.max(middle);
  return middle[0];
}

double Settler::look_at_barrier() {
  const double took_s = barrier_s();
  rule_.saw(took_s);
  facts_.best_barrier_s = rule_.best_s();
  return took_s;
}

void Settler::settle(bool first) {
  const std::int64_t begin = steady_ns();
  ++facts_.times;
  for (double settled_s = 0; rule_.more(first, settled_s); settled_s += SettleRule::step_s) {
    facts_.wakes += ring_.turn(SettleRule::step_s, rest_s);
    const int warm_up = static_cast<int>(warm_up_s / std::max(rule_.best_s(), 1e-7));
    for (int i = 0; i < warm_up; ++i) group_.barrier();
    look_at_barrier();
  }
  facts_.seconds += seconds_since(begin);
}

void Settler::begin() {
  facts_.first_barrier_s = look_at_barrier();
  settle(true);
}

void Settler::look(double run_s) {
  look_at_barrier();
  ++facts_.looks;
  if (!rule_.far()) return;
  ++facts_.far;
  std::array both{facts_.seconds, run_s};
  group_.max(both);
  if (rule_.worth(both[0], both[1])) settle(false);
}

}  // namespace busbar
