// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "core/record/fwd.hpp"
#include "reports/explain/curve.hpp"
#include "reports/explain/rule.hpp"

/// Anomalies on curves: shared by the rules dip, step and falling_time.
namespace busbar::explain {

/// A place on a curve where the time deviates from the time that its neighbours predict.
struct Place {
  const Curve* curve = nullptr;
  std::size_t index = 0;           ///< index of the dip, or of the last point before a step or fall
  std::uint64_t from = 0, to = 0;  ///< size of a dip, or the two sizes of a step or fall
  double ratio = 1;                ///< time over expected time
  Certainty certainty = Certainty::possible;

  [[nodiscard]] const CurvePoint& point(std::size_t ahead = 0) const { return curve->points[index + ahead]; }
};

/// Minimum ratios of an anomaly. With intervals, both `ratio` and `at_least` must be reached: known. Without, a time is
/// a mean or median of unknown precision. If a series and its twin (in place, out of place) agree at the same size:
/// likely. A single series needs a higher ratio: possible.
struct Bars {
  double ratio, at_least;  ///< with intervals: nominal, and lower bound
  double both, alone;      ///< without intervals: two series agree, or one alone
};
inline constexpr Bars dip_bars{.ratio = 1.25, .at_least = 1.1, .both = 1.3, .alone = 1.5};
inline constexpr Bars step_bars{.ratio = 1.5, .at_least = 1.25, .both = 1.5, .alone = 2};
inline constexpr Bars fall_bars{.ratio = 1.15, .at_least = 1.05, .both = 1.35, .alone = 1.7};

/// All anomalies of a run, with pointers into `curves` and `without_dips`. Steps and falls come from curves without
/// dips.
struct Places {
  std::vector<Curve> curves, without_dips;
  std::vector<Place> dips, steps, falls;
  std::vector<Place> slow_starts;  ///< falls after the first measurement of an imported run
};
[[nodiscard]] Places places(const Run&);

/// True if a run has a curve with at least three sizes.
[[nodiscard]] bool has_curves(const Run&);

/// Texts that a rule supplies for its findings.
struct PlaceWords {
  std::function<std::string(const Place&)> title;     ///< for the place with the largest ratio
  std::function<std::string(const Place&)> sentence;  ///< the numbers of one place
  std::function<std::vector<std::string>(const Place&)> tries;
  std::size_t slow = 0;  ///< which point of a place is the slow one: Place::point(slow)
};

/// One finding per certainty. Places with the largest ratio come first, series with the same sizes share a sentence,
/// and the rest are counted.
[[nodiscard]] std::vector<Finding> gather(const std::vector<Place>&, const PlaceWords&);

/// " The library chose ring/ll/8 at 64 KiB, tree/simple/16 at 128 KiB." for `count` points from `first`; empty if
/// unknown.
[[nodiscard]] std::string choices(const Place&, std::size_t first, std::size_t count);

/// Advice on buffers in host memory that leave the caches at some size.
[[nodiscard]] std::string about_caches();

/// Advice on a protocol or algorithm switch near these sizes, by backend and MPI library.
[[nodiscard]] std::vector<std::string> about_switches(const Place&, const Run&);

}  // namespace busbar::explain
