// SPDX-License-Identifier: Apache-2.0
#include "reports/explain/algorithms.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/grades/grade.hpp"
#include "core/record/case_record.hpp"
#include "core/record/library_choice.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"

namespace busbar::explain {
namespace {

using compare::Basis;
using compare::ComparedCase;
using compare::Measured;

/// The figures of a case in all runs that have it, for one algorithm.
struct Side {
  std::vector<const Run*> runs;
  Measured measured;
  std::vector<std::optional<Grade>> grades;  ///< of each launch
  std::string choice;
};

/// By algorithm; the empty one is the library's own choice.
using Sides = std::map<std::string, Side>;

constexpr compare::Quantity time_quantity{.name = "time", .higher_is_better = false};

void add_figure(Side& side, const Run& run, const CaseRecord& c, const std::optional<CaseGrade>& grade) {
  side.runs.push_back(&run);
  side.measured.launches.push_back({.value = *c.time_s, .interval = c.interval_s});
  side.grades.push_back(grade ? std::optional(grade->grade) : std::nullopt);
  if (c.choice) side.choice = text_of(*c.choice);
}

void summarise_side(Side& side) {
  std::vector<double> values;
  for (const LaunchFigure& launch : side.measured.launches) values.push_back(launch.value);
  side.measured.value = geometric_mean(values);
  std::erase(side.grades, std::nullopt);
  if (side.grades.empty()) return;
  std::ranges::sort(side.grades);
  side.measured.grade = *side.grades[side.grades.size() / 2];
}

std::map<CaseKey, Sides> sides_of(std::span<const Run* const> runs) {
  std::map<CaseKey, Sides> all;
  for (const Run* run : runs) {
    const Grader grader(*run);
    for (const CaseRecord& c : run->cases) {
      if (!is_measured(c.status) || c.key.kind != CaseKind::collective || !c.time_s || !(*c.time_s > 0)) continue;
      CaseKey own = c.key;
      own.algorithm.reset();
      add_figure(all[own][c.key.algorithm.value_or("")], *run, c, grader.grade_case(c));
    }
  }
  return all;
}

/// The launches of `side` that `other` has as well.
Side common_with(const Side& side, const Side& other) {
  Side common{.choice = side.choice};
  for (std::size_t i = 0; i < side.runs.size(); ++i) {
    if (std::ranges::find(other.runs, side.runs[i]) == other.runs.end()) continue;
    common.runs.push_back(side.runs[i]);
    common.measured.launches.push_back(side.measured.launches[i]);
    if (side.grades[i]) common.grades.push_back(side.grades[i]);
  }
  return common;
}

/// Launches that have both sides are pairs: their rounds took turns. Others count only if there are no pairs.
ComparedCase point_of(const CaseKey& key, const Side& own, const Side& other,
                      const compare::ComparisonOptions& options) {
  Side a = common_with(own, other), b = common_with(other, own);
  const bool paired = !a.runs.empty();
  if (!paired) {
    a = own;
    b = other;
  }
  summarise_side(a);
  summarise_side(b);
  ComparedCase point{.key = key, .quantity = &time_quantity, .unit = "s", .a = a.measured, .b = b.measured};
  const compare::Estimate e =
      compare::estimate(point.a.launches, point.b.launches,
                        {.alternating = paired, .same_hosts = false, .grade = point.grade()}, options);
  if (e.basis == Basis::pairs)
    for (Measured* side : {&point.a, &point.b}) side->grade = std::min(side->grade, Grade::c);
  point.basis = e.basis;
  point.ratio = e.ratio;
  point.ratio_of_all = e.ratio_of_all;
  return point;
}

FasterAlgorithm faster_of(const ComparedCase& point, std::string algorithm, std::string choice) {
  return {.key = point.key,
          .algorithm = std::move(algorithm),
          .own_s = point.a.value,
          .time_s = point.b.value,
          .ratio = 1 / point.ratio.ratio(),
          .interval = {.low = 1 / point.interval.high,
                       .high = 1 / point.interval.low,
                       .confidence = point.interval.confidence},
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
