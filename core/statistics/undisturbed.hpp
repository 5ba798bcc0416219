// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>

#include "core/statistics/round.hpp"

namespace busbar {

/// Ratio to the least pace_s above which CPUs count as slowed. CPUs that share their core are 1.2 to 1.7 times slower.
inline constexpr double slowed_ratio = 1.1;

/// Ratio to the usual barrier time above which ranks count as on distant CPUs. States of virtual CPUs differ by factors
/// of 1.4 and 3 (docs/method.md).
inline constexpr double far_ratio = 1.8;

/// 2nd percentile of the rounds' pace_s: the pace without disturbance, if some rounds had none, in seconds. Empty if
/// all are unknown.
[[nodiscard]] std::optional<double> full_pace_s(std::span<const Round> rounds);

/// With a smaller share of undisturbed rounds a measurement is of the disturbed machine: chance decides whether a case
/// has any (docs/method.md, "Later launches").
inline constexpr double least_undisturbed_share = 0.3;

/// Tells rounds that nothing disturbed from those whose CPUs a neighbour or a lower clock slowed, or that were far from
/// each other. Such states come and go, so a median over all rounds jumps between them.
class Undisturbed {
 public:
  /// `rounds`: of all launches that are one measurement, and of all cases on the same ranks, in any order. The 2nd
  /// percentiles of pace_s and barrier_s are taken for undisturbed.
  explicit Undisturbed(std::span<const Round> rounds);

  /// False if the pace is unknown.
  [[nodiscard]] bool is_slowed(const Round&) const;
  /// False if the barrier time is unknown.
  [[nodiscard]] bool is_far(const Round&) const;
  [[nodiscard]] bool holds(const Round& r) const { return !is_slowed(r) && !is_far(r); }
  /// Whether at least least_undisturbed_share of the rounds are undisturbed.
  [[nodiscard]] bool is_usual() const { return is_usual_; }

 private:
  std::optional<double> pace_s_, barrier_s_;
  bool is_usual_;
};

}  // namespace busbar
