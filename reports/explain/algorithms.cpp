// SPDX-License-Identifier: Apache-2.0
#include "reports/explain/algorithms.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/grades/grade.hpp"
#include "core/record/case_record.hpp"
#include "core/record/library_choice.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "reports/compare/point.hpp"

namespace busbar::explain {
namespace {

using compare::Basis;
using compare::ComparedCase;
using compare::FigureOfLaunch;

/// The figures of a case in all runs that have it, for one algorithm.
struct Side {
  std::vector<FigureOfLaunch> launches;
  std::string choice;
};
/// By algorithm; the empty one is the library's own choice.
using Sides = std::map<std::string, Side>;

constexpr compare::Quantity time_quantity{.name = "time", .higher_is_better = false};

std::map<CaseKey, Sides> sides_of(std::span<const Run* const> runs) {
  std::map<CaseKey, Sides> all;
  for (const Run* run : runs) {
    const Grader grader(*run);
    for (const CaseRecord& c : run->cases) {
      if (!is_measured(c.status) || c.key.kind != CaseKind::collective || !c.time_s || !(*c.time_s > 0)) continue;
      CaseKey own = c.key;
      own.algorithm.reset();
      Side& side = all[own][c.key.algorithm.value_or("")];
      side.launches.push_back({.place = {.run = run},
                               .figure = {.value = *c.time_s, .interval = c.interval_s},
                               .graded = grader.grade_case(c)});
      if (c.choice) side.choice = text_of(*c.choice);
    }
  }
  return all;
}

/// The launches of `side` that `other` has as well.
std::vector<FigureOfLaunch> common_with(const Side& side, const Side& other) {
  std::vector<FigureOfLaunch> common;
  std::ranges::copy_if(side.launches, std::back_inserter(common), [&](const FigureOfLaunch& launch) {
    const auto is_same = [&](const FigureOfLaunch& one) { return one.place.run == launch.place.run; };
    return std::ranges::any_of(other.launches, is_same);
  });
  return common;
}

/// Launches that have both sides are pairs: their rounds took turns. Others count only if there are no pairs.
ComparedCase point_of(const CaseKey& key, const Side& own, const Side& other,
                      const compare::ComparisonOptions& options) {
  const auto a = common_with(own, other), b = common_with(other, own);
  ComparedCase point = a.empty() ? estimate_point(own.launches, other.launches, time_quantity, {}, options)
                                 : estimate_point(a, b, time_quantity, {.alternating = true}, options);
  point.key = key;
  point.unit = "s";
  return point;
}

FasterAlgorithm faster_of(const ComparedCase& point, std::string algorithm, std::string choice) {
  return {.key = point.key,
          .algorithm = std::move(algorithm),
          .own_s = point.a.value,
          .time_s = point.b.value,
          .ratio = 1 / point.ratio.ratio(),
          .interval = compare::inverse(point.interval),
          .launches = std::min(point.a.launches.size(), point.b.launches.size()),
          .basis = point.basis,
          .choice = std::move(choice)};
}

}  // namespace

ComparedAlgorithms compare_algorithms(std::span<const Run* const> runs) {
  const compare::ComparisonOptions options;
  std::vector<ComparedCase> points;
  std::vector<std::pair<std::string, std::string>> names;  // algorithm and the library's choice, of each point
  ComparedAlgorithms all;
  for (auto& [key, sides] : sides_of(runs)) {
    if (!sides.contains("") || sides.size() < 2) continue;
    all.keys.push_back(key);
    for (const auto& [algorithm, side] : sides) {
      if (algorithm.empty()) continue;
      points.push_back(point_of(key, sides.at(""), side, options));
      names.emplace_back(algorithm, sides.at("").choice);
    }
  }
  compare::set_verdicts(points, options);
  all.comparisons = points.size();
  for (std::size_t i = 0; i < points.size(); ++i) {
    all.disturbed += points[i].verdict == compare::Verdict::disturbed;
    if (points[i].verdict != compare::Verdict::faster) continue;
    FasterAlgorithm one = faster_of(points[i], names[i].first, names[i].second);
    if (all.faster.empty() || all.faster.back().key != one.key)
      all.faster.push_back(std::move(one));
    else if (one.ratio > all.faster.back().ratio)
      all.faster.back() = std::move(one);
  }
  return all;
}

std::string how_much_faster(const FasterAlgorithm& f) {
  const std::string launches = fmt::format("{} launch{}{}", f.launches, f.launches == 1 ? "" : "es",
                                           f.basis == Basis::assumed ? ", launch-to-launch variation assumed" : "");
  return fmt::format("{:.2f}x faster ({:g} % interval {:.2f} to {:.2f}, {})", f.ratio, 100 * f.interval.confidence,
                     f.interval.low, f.interval.high, launches);
}

}  // namespace busbar::explain
