// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/grades/grade.hpp"
#include "core/record/fwd.hpp"
#include "reports/compare/verdict.hpp"

/// Any figure that launches have, compared between two sides as the figures of cases are.
namespace busbar::compare {

/// Where a launch stands among the others.
struct PlaceOfLaunch {
  std::size_t start = 0;  ///< index in order of start; launches without a known start come last, in input order
  std::size_t hosts = 0;  ///< number of its set of hosts; 0: unknown. A host is its name, virtualisation,
                          ///< container and lab
  const Run* run = nullptr;
};

/// Places by index of the run. The runs must outlive them.
[[nodiscard]] std::vector<PlaceOfLaunch> places_of_launches(const std::vector<Run>&);

struct FigureOfLaunch {
  PlaceOfLaunch place;
  LaunchFigure figure;
  std::optional<CaseGrade> graded;  ///< of the case with this figure; empty: it has none
  double wall_s = 0;                ///< of measuring it
};

/// The point of two sides whose launches had this design, except its grade, with the ratio as estimate() finds it,
/// without key, unit and verdict (set_verdicts()). Neither side may be empty. Outlying launches have no names and count
/// in the values of their sides.
[[nodiscard]] ComparedCase estimate_point(std::span<const FigureOfLaunch> a, std::span<const FigureOfLaunch> b,
                                          const Quantity&, Design, const ComparisonOptions&);

/// The same with the design that the places of the launches show, and without outlying launches in the values. Each
/// side is sorted by PlaceOfLaunch::start.
[[nodiscard]] ComparedCase point_between(std::span<const FigureOfLaunch> a, std::span<const FigureOfLaunch> b,
                                         const Quantity&, const ComparisonOptions&);

}  // namespace busbar::compare
