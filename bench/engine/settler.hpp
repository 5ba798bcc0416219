// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <limits>

#include "core/machine/wake_ring.hpp"
#include "core/settling.hpp"

namespace busbar {

/// Decides when ranks are to be settled, from what barriers took. A pure object: it knows no clock and no ranks.
class SettleRule {
 public:
  static constexpr double step_s = 0.1;   ///< settled for between two looks
  static constexpr double first_s = 0.5;  ///< before the first round at least, for nothing is known then
  static constexpr double most_s = 1;     ///< at one time; far is then how it is
  static constexpr double share = 0.2;    ///< of the run, at most, above twice most_s

  /// A barrier took so long.
  void saw(double barrier_s);
  /// It took much longer than the best one did.
  [[nodiscard]] bool far() const { return last_s_ > far_ratio * best_s_; }
  /// Whether to go on for a step, having settled for `settled_s` this time.
  [[nodiscard]] bool more(bool first, double settled_s) const;
  /// Whether a further time is worth beginning, `spent_s` of `run_s` seconds having gone into settling.
  [[nodiscard]] bool worth(double spent_s, double run_s) const { return far() && spent_s < 2 * most_s + share * run_s; }
  [[nodiscard]] double best_s() const { return best_s_; }

 private:
  double best_s_ = std::numeric_limits<double>::infinity(), last_s_ = 0;
};

/// Brings the ranks of a host near each other where a hypervisor or scheduler moves them: they wake one another for
/// some tenths of a second. Schedulers take who wakes whom for a sign of who belongs together, and spread out what
/// always runs; ranks that wait by spinning, as those of MPI do, never give that sign. Every method is collective.
class Settler {
 public:
  /// `group` outlives this. `hosts`: of each rank.
  Settler(Group& group, const std::vector<int>& hosts);

  /// Before the first round.
  void begin();
  /// Between rounds: settles again where barriers take much longer than they did. `run_s`: since the first round.
  void look(double run_s);
  /// The same on every rank, but for `seconds` and `wakes`.
  [[nodiscard]] const Settling& facts() const { return facts_; }

 private:
  [[nodiscard]] double barrier_s();
  double look_at_barrier();
  void settle(bool first);

  Group& group_;
  WakeRing ring_;
  SettleRule rule_;
  int block_ = 1;  ///< barriers timed together
  Settling facts_;
};

}  // namespace busbar
