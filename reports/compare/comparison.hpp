// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/case_key.hpp"
#include "core/record/fwd.hpp"
#include "core/statistics/interval.hpp"
#include "core/statistics/log_ratio.hpp"

/// Two or more sides held against each other, point by point. A side is a set of launches that measured the same; a
/// point is a case key that both sides have. What may be held against what is comparability.hpp's business.
namespace busbar::compare {

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
[[nodiscard]] std::string_view name(Verdict);

/// Where the error of a ratio comes from.
enum class Basis {
  pairs,     ///< launches in alternation
  launches,  ///< launches of either side
  assumed,   ///< too few launches: Options::launch_spread
};
[[nodiscard]] std::string_view name(Basis);

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

/// Side b against side a.
struct Pair {
  std::size_t a = 0, b = 0;            ///< positions in Set::sides
  std::vector<Point> points;           ///< by series, then size
  std::size_t only_a = 0, only_b = 0;  ///< points that the other side does not have
  [[nodiscard]] std::size_t count(Verdict) const;
};

/// Sides that have points in common.
struct Set {
  std::string title;  ///< what all points of it have in common; may be empty
  std::vector<std::string> sides;
  std::vector<Pair> pairs;  ///< of all sides, each two once
};

/// What goes into a comparison.
struct Request {
  std::vector<std::string> sides;  ///< their names, in order
  std::vector<std::string> about;  ///< what each is, where its name does not say it
  /// Side of a case of a run, by position; empty: of none.
  std::function<std::optional<std::size_t>(std::size_t run, const CaseRecord&)> side_of;
  /// Takes out of a key what may differ.
  std::function<void(CaseKey&)> blank;
  std::string criterion;            ///< of `--by`; empty where two sides were named
  std::vector<std::string> across;  ///< fields (fields.hpp) of the method that may differ
  /// Cases with unlike texts are not held against each other; the text is the title of their set.
  std::function<std::string(std::size_t run, const CaseKey& blanked)> set_of;
  Options options;
};

struct Comparison {
  std::vector<Set> sets;           ///< in the order of their first case; those without a common point are left out
  std::vector<std::string> notes;  ///< what a reader should know
};

/// Only cases that are ok count. Throws UsageError, naming two runs, the fields in which they differ and what each
/// says, where runs with a set in common were measured in different ways, and where no two sides have a point in
/// common.
[[nodiscard]] Comparison compare(const std::vector<Run>&, const Request&);

}  // namespace busbar::compare
