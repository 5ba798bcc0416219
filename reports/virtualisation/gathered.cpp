// SPDX-License-Identifier: Apache-2.0
#include "reports/virtualisation/gathered.hpp"

#include <algorithm>
#include <utility>

#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"

namespace busbar::virtualisation {
namespace {

using compare::ComparedCase, compare::FigureOfLaunch;

void turn(LogRatio& ratio) {
  ratio.value = -ratio.value;
  if (ratio.pace) ratio.pace->ratio = 1 / ratio.pace->ratio;
  if (ratio.pace_apart) ratio.pace_apart = 1 / *ratio.pace_apart;
}

/// Side b compared with side a becomes a compared with b.
ComparedCase turned(ComparedCase p) {
  std::swap(p.a, p.b);
  turn(p.ratio);
  turn(p.ratio_of_all);
  p.interval = compare::inverse(p.interval);
  for (compare::OutlyingLaunch& one : p.outlying) one.of_b = !one.of_b;
  if (p.verdict == compare::Verdict::slower || p.verdict == compare::Verdict::faster)
    p.verdict = p.verdict == compare::Verdict::slower ? compare::Verdict::faster : compare::Verdict::slower;
  return p;
}

}  // namespace

Gathered::Gathered(const compare::Told& told) : told_(told), places_(compare::places_of_launches(told.runs)) {
  for (const Run& run : told.runs) graders_.emplace_back(run);
}

const Run& Gathered::run(std::size_t index) const { return told_.runs[index]; }

std::optional<CaseGrade> Gathered::grade_case(std::size_t run, const CaseRecord& c) const {
  return graders_[run].grade_case(c);
}

std::optional<CaseKey> Gathered::key_on(const Side& side, std::size_t run, const CaseRecord& c) const {
  if (!is_measured(c.status) || told_.request.side_of(run, c) != side.index) return std::nullopt;
  CaseKey key = c.key;
  told_.request.blank(key);
  return key;
}

compare::ComparisonOptions Gathered::options() const {
  compare::ComparisonOptions options = told_.request.options;
  options.as_measured = true;
  return options;
}

std::optional<ComparedCase> Gathered::point(std::array<std::vector<FigureOfLaunch>, 2> sides,
                                            const compare::Quantity& quantity) const {
  if (sides[reference].empty() || sides[other].empty()) return std::nullopt;
  for (auto& side : sides) std::ranges::stable_sort(side, {}, [](const FigureOfLaunch& f) { return f.place.start; });
  ComparedCase point = compare::point_between(sides[reference], sides[other], quantity, options());
  point.interval = point.ratio.interval(options().confidence);
  return point;
}

std::vector<FigureOfLaunch> Gathered::figures(const Side& side, const FigureOfRun& of) const {
  std::vector<FigureOfLaunch> all;
  for (const std::size_t i : side.runs)
    if (const auto figure = of(run(i))) all.push_back({.place = place(i), .figure = *figure});
  return all;
}

void set_verdicts(std::span<ComparedCase* const> points, const compare::ComparisonOptions& options) {
  std::vector<ComparedCase> all;
  for (const ComparedCase* point : points) all.push_back(*point);
  compare::set_verdicts(all, options);
  for (std::size_t i = 0; i < all.size(); ++i) *points[i] = std::move(all[i]);
}

std::vector<ComparedCase> points_of(const compare::Told& told, const Study& study) {
  const std::size_t from = study.sides[reference].index, to = study.sides[other].index;
  const std::size_t any_run = study.sides[reference].runs.front();
  std::vector<ComparedCase> all;
  for (const compare::Set& set : told.comparison.sets) {
    for (const compare::Pair& pair : set.pairs) {
      if (pair.a != std::min(from, to) || pair.b != std::max(from, to) || pair.points.empty()) continue;
      if (set.title != told.request.set_of(any_run, pair.points.front().key)) continue;  // other labels
      for (const ComparedCase& p : pair.points) all.push_back(pair.a == from ? p : turned(p));
    }
  }
  return all;
}

}  // namespace busbar::virtualisation
