// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <optional>
#include <vector>

#include "core/ranks/wake_ring.hpp"
#include "core/record/settling.hpp"
#include "core/statistics/undisturbed.hpp"

namespace busbar {

/// Decides from barrier times when to settle ranks. A pure object: it knows no clock and no ranks.
class SettleRule {
 public:
  static constexpr double step_s = 0.03;       ///< settling time between two barrier measurements
  static constexpr double first_s = 0.2;       ///< settling before the first round: less has no lasting effect
  static constexpr double first_share = 0.25;  ///< maximum share of the remaining time for first_s
  static constexpr double most_s = 0.5;        ///< maximum per settling
  static constexpr double most_of_left = 0.4;  ///< maximum share of the remaining time per settling
  static constexpr double share = 0.05;        ///< maximum share of the run, excluding the first settling
  static constexpr std::size_t enough = 5;     ///< measurements needed to know the usual barrier time
  static constexpr int most_in_vain = 2;       ///< settlings in a row without effect before giving up

  /// `known_s`: usual barrier time of earlier launches like this; empty: unknown. A launch that is disturbed throughout
  /// cannot find it by itself.
  explicit SettleRule(std::optional<double> known_s = {}) : known_s_(known_s) {}

  /// Adds a measured barrier time.
  void saw(double barrier_s);
  /// Call after settling, and after saw() with the new barrier time.
  void settled() { in_vain_ = far() ? in_vain_ + 1 : 0; }
  /// Lower quartile of all measurements: robust against a single fast one.
  [[nodiscard]] double quartile_s() const { return seen_s_[(seen_s_.size() - 1) / 4]; }
  /// quartile_s() or the known barrier time, whichever is less.
  [[nodiscard]] double usual_s() const { return std::min(quartile_s(), known_s_.value_or(quartile_s())); }
  /// True if the last barrier took much longer than usual.
  [[nodiscard]] bool far() const { return knows() && last_s_ > far_ratio * usual_s(); }
  /// True if the last barrier took what is usual in earlier launches.
  [[nodiscard]] bool near() const { return known_s_ && !far(); }
  /// Whether to settle for another step. `settled_s`: so far this time; `left_s`: remaining time of the launch;
  /// `at_least_s`: minimum, settled in any case.
  [[nodiscard]] bool more(double at_least_s, double settled_s, double left_s) const;
  /// Whether to settle again. `spent_s`: settling time in the `run_s` since the first settling.
  [[nodiscard]] bool worth(double spent_s, double run_s) const {
    return far() && !gave_up() && spent_s < most_s + share * run_s;
  }
  [[nodiscard]] bool gave_up() const { return in_vain_ >= most_in_vain; }
  [[nodiscard]] double best_s() const { return seen_s_.front(); }
  [[nodiscard]] double last_s() const { return last_s_; }

 private:
  [[nodiscard]] bool knows() const { return known_s_ || seen_s_.size() >= enough; }

  std::optional<double> known_s_;
  std::vector<double> seen_s_;  ///< ascending
  double last_s_ = 0;
  int in_vain_ = 0;
};

/// Keeps the ranks of a host on nearby CPUs if a hypervisor or scheduler moves them: ranks wake one another for some
/// tenths of a second. Schedulers place threads that wake each other together, and spread out threads that never sleep.
/// MPI ranks wait by spinning, so they never give that hint. Every method is collective over the group.
class Settler {
 public:
  /// `group` must outlive this. `hosts`: host of each rank. `known_s`: as in SettleRule; the same on every rank.
  Settler(Group& group, const std::vector<int>& hosts, std::optional<double> known_s = {});

  /// Before the first round. Settles unless ranks are near each other already. `left_s`: until sampling has to end, the
  /// same on every rank here and below. `settles`: settle now; useless if ranks share their CPUs with others.
  void begin(double left_s, bool settles = true);
  /// Between rounds: settles again if barriers take much longer than usual. `run_s`: since the first round. `settles`:
  /// as for begin().
  void watch_barrier(double run_s, double left_s, bool settles = true);
  /// Barrier time at the last check, s; the same on every rank.
  [[nodiscard]] double last_barrier_s() const { return rule_.last_s(); }
  /// The same on every rank, except `seconds` and `wakes`.
  [[nodiscard]] const Settling& facts() const { return facts_; }

 private:
  [[nodiscard]] double barrier_s(bool alone);
  /// `alone`: no other process uses the CPUs.
  void look_at_barrier(bool alone);
  void settle(double at_least_s, double left_s);

  Group& group_;
  WakeRing ring_;
  SettleRule rule_;
  int block_ = 1;  ///< barriers timed together
  double first_time_s_ = 0;
  Settling facts_;
};

}  // namespace busbar
