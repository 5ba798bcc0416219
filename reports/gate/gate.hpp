// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <span>
#include <string>
#include <vector>

#include "core/base/enum_words.hpp"
#include "core/record/fwd.hpp"
#include "reports/compare/comparison.hpp"

/// Tests whether one side is slower than a baseline by more than allowed, for each point; never for an average over
/// sizes.
namespace busbar::gate {

using busbar::name;

/// Best first.
enum class Outcome {
  pass,
  inconclusive,
  disturbed,  ///< figures of grade D: measure again
  regression,
};
[[nodiscard]] constexpr auto words_of(Outcome) {
  return std::to_array<std::string_view>({"pass", "inconclusive", "disturbed", "regression"});
}

struct GatePoint {
  compare::ComparedCase point;  ///< a: baseline, b: current
  double slowdown = 1;          ///< time ratio, current over baseline, for any quantity
  Interval interval;            ///< of the slowdown
  double p = 1;  ///< one-sided p-value for a slowdown up to the limit, after Holm's correction over all points
  Outcome outcome = Outcome::inconclusive;
};

/// A case without a result on the current side.
struct Unmeasured {
  std::string id;                           ///< of its key
  std::string reason;                       ///< "failed: ...", "skipped: ...", "missing"
  Outcome outcome = Outcome::inconclusive;  ///< regression for failed cases: wrong data must not pass
};

struct Gate {
  double max_regression = 0;
  std::vector<GatePoint> points;
  std::vector<Unmeasured> unmeasured;
  [[nodiscard]] std::size_t count(Outcome) const;  ///< points and unmeasured cases
  [[nodiscard]] Outcome outcome() const;           ///< the worst; pass if there are no points
};

/// regression: the interval is above 1 + max_regression, also after Holm's correction over all points. pass: it is
/// below; with an assumed spread only if below 1, as that cannot show equality. inconclusive: neither. disturbed:
/// compare::ComparedCase::is_disturbed(). `comparison` must have two sides, baseline and current; the runs of both are
/// checked for missing and failed cases.
[[nodiscard]] Gate decide(const compare::Comparison&, const compare::ComparisonOptions&, double max_regression,
                          std::span<const Run> baseline, std::span<const Run> current);

/// "24 points: 22 pass, 1 regression, 1 inconclusive, 0 disturbed"
[[nodiscard]] std::string summary(const Gate&);

/// The points with this outcome, largest slowdown first.
[[nodiscard]] std::vector<const GatePoint*> worst_first(const Gate&, Outcome);

/// "regression at 1 MiB of allreduce (...): slowdown 1.062 (1.041 to 1.084), limit 1.05"
[[nodiscard]] std::string sentence(const Gate&, const GatePoint&);

}  // namespace busbar::gate
