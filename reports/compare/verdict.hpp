// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_words.hpp"
#include "core/record/case_key.hpp"
#include "core/record/fwd.hpp"
#include "core/statistics/interval.hpp"
#include "core/statistics/log_ratio.hpp"

/// Points of two sides, and which of them is slower.
namespace busbar::compare {

using busbar::name;

struct Options {
  double margin = 0.02;         ///< within this (ratio minus 1) two sides are the same
  double confidence = 0.95;     ///< of intervals, and of all verdicts of a pair together
  double launch_spread = 0.10;  ///< assumed, standard deviation over mean, where launches cannot tell theirs
  bool as_measured = false;     ///< ratios as they were measured, not at equal pace of the CPUs
  std::string metric;           ///< time, rate, busbw, algbw; empty: by what the cases have
};

/// What a case came to.
struct Quantity {
  std::string_view name;  ///< time, rate, busbw, algbw
  bool higher_is_better = false;
  std::optional<LaunchFigure> (*of)(const CaseRecord&);  ///< empty: has none
  std::string (*unit)(const CaseRecord&);                ///< "s", "images/s", "GB/s"
};
[[nodiscard]] const Quantity* find_quantity(std::string_view name);

enum class Verdict { slower, faster, same, inconclusive };
[[nodiscard]] constexpr auto words_of(Verdict) {
  return std::to_array<std::string_view>({"slower", "faster", "same", "inconclusive"});
}

/// Where the error of a ratio comes from.
enum class Basis {
  pairs,     ///< launches in alternation
  launches,  ///< launches of either side
  assumed,   ///< too few launches: Options::launch_spread
};
[[nodiscard]] constexpr auto words_of(Basis) {
  return std::to_array<std::string_view>({"pairs", "launches", "assumed"});
}

/// One side of a point.
struct Measured {
  std::vector<LaunchFigure> launches;  ///< a row a launch, in the order of their starts
  double value = 0;                    ///< geometric mean over launches; the unit is the quantity's
};

struct Point {
  CaseKey key;  ///< without the parts that may differ
  const Quantity* quantity = nullptr;
  std::string unit;
  Measured a, b;
  Basis basis = Basis::assumed;
  LogRatio ratio;     ///< of the quantity, b over a
  Interval interval;  ///< of that ratio
  double p = 1;       ///< that the ratio is not 1, two-sided; after Holm's correction over the points of the pair
  Verdict verdict = Verdict::inconclusive;  ///< of b against a
  std::optional<int> launches_needed;       ///< inconclusive: launches of each side that might settle it, about
};

/// How the launches of two sides stand to each other.
struct Design {
  bool alternating = false;  ///< they took turns, so that a[i] and b[i] are neighbours in time
  bool same_hosts = false;   ///< all ran on the same ones
};

/// Ratio of two sides and where its error comes from. Pairs of launches in alternation are used from 5 on: with fewer,
/// what pairing takes away from the error is less than what it loses in degrees of freedom. The ratio is that at equal
/// pace from 6 launches of each side on, where all ran on the same hosts and know their pace, unless
/// Options::as_measured. What is used depends on how many launches there are, never on what they came to.
struct Estimate {
  LogRatio ratio;
  Basis basis = Basis::assumed;
};
[[nodiscard]] Estimate estimate(std::span<const LaunchFigure> a, std::span<const LaunchFigure> b, const Design&,
                                const Options&);

/// Fills in interval, p, verdict and launches_needed of all points of a pair from their ratios.
///
/// same: the interval lies inside the margin; never by an assumed spread. slower, faster: not the same, and the ratio
/// is not 1 by a two-sided test, after Holm's correction over all these points. inconclusive: neither.
void set_verdicts(std::span<Point> points, const Options&);

}  // namespace busbar::compare
