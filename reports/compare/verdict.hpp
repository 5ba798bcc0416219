// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_words.hpp"
#include "core/grades/grade.hpp"
#include "core/record/case_key.hpp"
#include "core/record/fwd.hpp"
#include "core/statistics/interval.hpp"
#include "core/statistics/log_ratio.hpp"

/// Points of two sides, and verdicts on which side is slower.
namespace busbar::compare {

using busbar::name;

struct ComparisonOptions {
  double margin = 0.02;         ///< two sides are the same within this (ratio - 1)
  double confidence = 0.95;     ///< of intervals, and jointly of all verdicts of a pair
  double launch_spread = 0.10;  ///< standard deviation / mean, assumed if there are too few launches to estimate it;
                                ///< multiplied by spread_factor()
  bool as_measured = false;     ///< ratios as measured, not corrected to equal CPU pace
  std::string metric;           ///< time, rate, busbw, algbw; empty: the first that all cases have
};

/// The result of a case that is compared.
struct Quantity {
  std::string_view name;  ///< time, rate, busbw, algbw
  bool higher_is_better = false;
  std::optional<LaunchFigure> (*of)(const CaseRecord&);  ///< empty: the case has no such figure
  std::string (*unit)(const CaseRecord&);                ///< "s", "images/s", "GB/s"
};
[[nodiscard]] const Quantity* find_quantity(std::string_view name);

enum class Verdict {
  slower,
  faster,
  same,
  inconclusive,
  disturbed,  ///< figures of grade D: measure again
};
[[nodiscard]] constexpr auto words_of(Verdict) {
  return std::to_array<std::string_view>({"slower", "faster", "same", "inconclusive", "disturbed"});
}

/// How many times as much a launch of this grade is assumed to vary as one of grade A or B. Measured with pairs of
/// equal launches (docs/comparing.md, "How often it is right").
[[nodiscard]] constexpr double spread_factor(Grade grade) { return grade == Grade::d ? 5 : grade == Grade::c ? 2 : 1; }

/// The interval of 1 / x.
[[nodiscard]] inline Interval inverse(const Interval& i) {
  return {.low = 1 / i.high, .high = 1 / i.low, .confidence = i.confidence};
}

/// Source of the error estimate of a ratio.
enum class Basis {
  pairs,     ///< alternating launches
  launches,  ///< launches of each side
  assumed,   ///< too few launches: ComparisonOptions::launch_spread
};
[[nodiscard]] constexpr auto words_of(Basis) {
  return std::to_array<std::string_view>({"pairs", "launches", "assumed"});
}

/// One side of a point.
struct Measured {
  std::vector<LaunchFigure> launches;  ///< one entry per launch, by start time
  double value = 0;                    ///< geometric mean over launches but outlying ones, in ComparedCase::unit
  Grade grade = Grade::a;              ///< of the middle launch; at least C if the sides alternated (Basis::pairs),
                                       ///< because a disturbance then shows in the spread between pairs
  std::string doubts;                  ///< why that launch has no better grade: "contention, width"
  double wall_s = 0;                   ///< of measuring it, summed over launches
};

/// A launch whose figure does not belong to the others of its side, and that is left out.
struct OutlyingLaunch {
  bool of_b = false;
  std::size_t launch = 0;  ///< index into Measured::launches
  double factor = 1;       ///< its figure over the geometric mean of its side's others
  std::string name;        ///< of its run: "base.jsonl (2026-11-01T02:00:00Z)"
};

struct ComparedCase {
  CaseKey key;  ///< without the parts that may differ
  const Quantity* quantity = nullptr;
  std::string unit;
  Measured a, b;
  Basis basis = Basis::assumed;
  LogRatio ratio;         ///< of the quantity, b over a, without the outlying launches
  LogRatio ratio_of_all;  ///< with them
  std::vector<OutlyingLaunch> outlying;
  Interval interval;  ///< of that ratio
  double p = 1;       ///< two-sided p-value for a ratio of 1, after Holm's correction over the points of the pair
  Verdict verdict = Verdict::inconclusive;  ///< on b compared with a

  /// The grade of the worse side.
  [[nodiscard]] Grade grade() const { return std::max(a.grade, b.grade); }
  [[nodiscard]] bool is_disturbed() const { return grade() == Grade::d; }

  std::optional<int> launches_needed;  ///< if inconclusive: approximate launches per side that might decide it
};

/// How the launches of two sides were arranged.
struct Design {
  bool alternating = false;  ///< the sides took turns, so a[i] and b[i] are adjacent in time
  bool same_hosts = false;   ///< all launches ran on the same hosts
  Grade grade = Grade::a;    ///< of the worse side; for an assumed spread
};

/// Estimates the ratio of two sides and its error. Alternating launches are paired from 5 on: with fewer, pairing
/// reduces the error less than the lost degrees of freedom increase it. From 6 launches per side on the same hosts with
/// known pace, the ratio is at equal pace, unless ComparisonOptions::as_measured. The choice depends only on the number
/// of launches, never on their results.
///
/// From 5 launches on, those that do not belong to the others (outliers() of the logarithms) are left out: of a side,
/// or of pairs both partners of a ratio that does not belong. One bad launch would else widen every interval.
/// docs/comparing.md has level and power with and without bad launches.
struct Estimate {
  LogRatio ratio, ratio_of_all;
  Basis basis = Basis::assumed;
  std::vector<OutlyingLaunch> outlying;  ///< without names
};
[[nodiscard]] Estimate estimate(std::span<const LaunchFigure> a, std::span<const LaunchFigure> b, const Design&,
                                const ComparisonOptions&);

/// Sets interval, p, verdict and launches_needed of all points of a pair from their ratios.
///
/// disturbed: ComparedCase::is_disturbed(); such points are not tested.
/// same: the interval is inside the margin; never with an assumed spread. slower, faster: not same, and a two-sided
/// test with Holm's correction over all these points rejects a ratio of 1. inconclusive: neither.
void set_verdicts(std::span<ComparedCase> points, const ComparisonOptions&);

}  // namespace busbar::compare
