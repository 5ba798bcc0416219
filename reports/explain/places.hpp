// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "core/record/fwd.hpp"
#include "reports/explain/curve.hpp"
#include "reports/explain/rule.hpp"

/// Odd places on curves: what the rules for dips, steps and falling times share.
namespace busbar::explain {

/// A place on a curve where the time is not what sizes beside it lead to expect.
struct Place {
  const Curve* curve = nullptr;
  std::size_t index = 0;           ///< of the dip, or of the last point before the step or the fall
  std::uint64_t from = 0, to = 0;  ///< its size; the two sizes of a step or a fall
  double ratio = 1;                ///< how many times as long as expected
  Certainty certainty = Certainty::possible;

  [[nodiscard]] const CurvePoint& point(std::size_t ahead = 0) const { return curve->points[index + ahead]; }
};

/// From which ratio on a place counts. With intervals both must hold, and it is known. Without, a time is a mean or a
/// median of unknown precision: a series and its twin (the same in place) that both show it at the same size make it
/// likely; one alone has to show more, and is possible.
struct Bars {
  double ratio, at_least;  ///< where there are intervals: nominal, and by their ends
  double both, alone;      ///< where there are none
};
inline constexpr Bars dip_bars{.ratio = 1.25, .at_least = 1.1, .both = 1.3, .alone = 1.5};
inline constexpr Bars step_bars{.ratio = 1.5, .at_least = 1.25, .both = 1.5, .alone = 2};
inline constexpr Bars fall_bars{.ratio = 1.15, .at_least = 1.05, .both = 1.35, .alone = 1.7};

/// All places of a run, which point into its curves. Steps and falls are looked for on curves without their dips.
struct Places {
  std::vector<Curve> curves, without_dips;
  std::vector<Place> dips, steps, falls;
  std::vector<Place> slow_starts;  ///< falls behind the very first measurement of an imported run
};
[[nodiscard]] Places places(const Run&);

/// A run has a curve of three sizes or more.
[[nodiscard]] bool has_curves(const Run&);

/// What a rule says of its places.
struct PlaceWords {
  std::function<std::string(const Place&)> title;     ///< of the place that stands out most
  std::function<std::string(const Place&)> sentence;  ///< its numbers
  std::function<std::vector<std::string>(const Place&)> tries;
};

/// A finding for each certainty: the places with the largest ratio first, those of several series at the same sizes in
/// one sentence, the others counted.
[[nodiscard]] std::vector<Finding> gather(const std::vector<Place>&, const PlaceWords&);

/// "The library chose ring/ll/8 at 64 KiB, tree/simple/16 at 128 KiB." of the points from `first` on; empty where it
/// did not say.
[[nodiscard]] std::string choices(const Place&, std::size_t first, std::size_t count);

/// What to try about a switch between protocols or algorithms that lies near these sizes, by backend and MPI library.
[[nodiscard]] std::vector<std::string> about_switches(const Place&, const Run&);

}  // namespace busbar::explain
