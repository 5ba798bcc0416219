// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <optional>
#include <vector>

#include "core/ranks/wake_ring.hpp"
#include "core/record/settling.hpp"

namespace busbar {

/// Decides when ranks are to be settled, from what barriers took. A pure object: it knows no clock and no ranks.
class SettleRule {
 public:
  static constexpr double step_s = 0.03;       ///< of settling between two looks
  static constexpr double first_s = 0.2;       ///< of settling before the first round: shorter does not last
  static constexpr double first_share = 0.25;  ///< of what is left of the launch, at most
  static constexpr double most_s = 0.5;        ///< of settling at one time
  static constexpr double most_of_left = 0.4;  ///< of what is left of the launch, at one time
  static constexpr double share = 0.05;        ///< of the run, at most, beside the first time
  static constexpr std::size_t enough = 5;     ///< looks by which the usual barrier is known
  static constexpr int most_in_vain = 2;       ///< times in a row that did not help, after which it is left alone

  /// `known_s`: what a barrier usually took in earlier launches like this; empty: not known. A launch that is far from
  /// its beginning to its end cannot tell by itself.
  explicit SettleRule(std::optional<double> known_s = {}) : known_s_(known_s) {}

  /// A barrier took so long.
  void saw(double barrier_s);
  /// The ranks were settled, and saw() was told of the barrier afterwards.
  void settled() { in_vain_ = far() ? in_vain_ + 1 : 0; }
  /// The lower quartile of all looks: one lucky look does not move it.
  [[nodiscard]] double quartile_s() const { return seen_s_[(seen_s_.size() - 1) / 4]; }
  /// That, or what is known, if it is less.
  [[nodiscard]] double usual_s() const { return std::min(quartile_s(), known_s_.value_or(quartile_s())); }
  /// The last barrier took much longer than usual.
  [[nodiscard]] bool far() const { return knows() && last_s_ > far_ratio * usual_s(); }
  /// Whether to go on for a step, having settled for `settled_s` this time, `left_s` being left of the launch; for
  /// `at_least_s` in any case.
  [[nodiscard]] bool more(double at_least_s, double settled_s, double left_s) const;
  /// Whether to settle again, `spent_s` of `run_s` seconds having gone into it after the first time.
  [[nodiscard]] bool worth(double spent_s, double run_s) const {
    return far() && !gave_up() && spent_s < most_s + share * run_s;
  }
  [[nodiscard]] bool gave_up() const { return in_vain_ >= most_in_vain; }
  [[nodiscard]] double best_s() const { return seen_s_.front(); }

 private:
  [[nodiscard]] bool knows() const { return known_s_ || seen_s_.size() >= enough; }

  std::optional<double> known_s_;
  std::vector<double> seen_s_;  ///< ascending
  double last_s_ = 0;
  int in_vain_ = 0;
};

/// Brings the ranks of a host near each other where a hypervisor or scheduler moves them: they wake one another for
/// some tenths of a second. Schedulers take who wakes whom for a sign of who belongs together, and spread out what
/// always runs; ranks that wait by spinning, as those of MPI do, never give that sign. Every method is collective.
class Settler {
 public:
  /// `group` outlives this. `hosts`: of each rank. `known_s`: as SettleRule wants it, the same on every rank.
  Settler(Group& group, const std::vector<int>& hosts, std::optional<double> known_s = {});

  /// Before the first round, `left_s` before sampling has to end: the same on every rank, as below. `settles`: whether
  /// it settles ranks now; in vain where they share their CPUs with others.
  void begin(double left_s, bool settles = true);
  /// Between rounds: settles again where barriers take much longer than usual. `run_s`: since the first round.
  void watch_barrier(double run_s, double left_s);
  /// The same on every rank, but for `seconds` and `wakes`.
  [[nodiscard]] const Settling& facts() const { return facts_; }

 private:
  [[nodiscard]] double barrier_s();
  double look_at_barrier();
  void settle(double at_least_s, double left_s);

  Group& group_;
  WakeRing ring_;
  SettleRule rule_;
  int block_ = 1;  ///< barriers timed together
  double first_time_s_ = 0;
  Settling facts_;
};

}  // namespace busbar
