// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <span>
#include <string>
#include <vector>

#include "core/base/enum_words.hpp"
#include "core/record/fwd.hpp"
#include "reports/compare/comparison.hpp"

/// Whether one side is slower than a baseline by more than is allowed, point by point; never on an average over sizes.
namespace busbar::gate {

using busbar::name;

enum class Outcome { pass, inconclusive, regression };
[[nodiscard]] constexpr auto words_of(Outcome) {
  return std::to_array<std::string_view>({"pass", "inconclusive", "regression"});
}

struct GatePoint {
  compare::Point point;  ///< a: baseline, b: current
  double slowdown = 1;   ///< how many times as long the current side takes, whatever the quantity
  Interval interval;     ///< of the slowdown
  double p = 1;          ///< that it is allowed, one-sided, after Holm's correction over all points
  Outcome outcome = Outcome::inconclusive;
};

/// A case of the current side that gave no number.
struct Unmeasured {
  std::string id;                           ///< of its key
  std::string reason;                       ///< "failed: ...", "skipped: ...", "missing"
  Outcome outcome = Outcome::inconclusive;  ///< regression where it failed: wrong data is no pass
};

struct Gate {
  double max_regression = 0;
  std::vector<GatePoint> points;
  std::vector<Unmeasured> unmeasured;
  [[nodiscard]] std::size_t count(Outcome) const;  ///< points and unmeasured cases
  [[nodiscard]] Outcome outcome() const;           ///< the worst: regression, inconclusive, pass
};

/// regression: the interval lies above 1 + max_regression, and so after Holm's correction over all points.
/// pass: it lies below; by an assumed spread only where it lies below 1, since that shows no equality. inconclusive:
/// neither. The comparison is of two sides, baseline and current; the runs of each are for what was not measured.
[[nodiscard]] Gate decide(const compare::Comparison&, const compare::Options&, double max_regression,
                          std::span<const Run> baseline, std::span<const Run> current);

/// "24 points: 22 pass, 1 regression, 1 inconclusive"
[[nodiscard]] std::string summary(const Gate&);

/// "regression at 1 MiB of allreduce (...): slowdown 1.062 (1.041 to 1.084), limit 1.05"
[[nodiscard]] std::string sentence(const Gate&, const GatePoint&);

}  // namespace busbar::gate
