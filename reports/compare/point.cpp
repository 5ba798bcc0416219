// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/point.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include <fmt/core.h>

#include "core/environment/environment.hpp"
#include "core/record/run.hpp"

namespace busbar::compare {
namespace {

using Figures = std::span<const FigureOfLaunch>;

/// Position of each run in order of start; runs without a known start come last, in input order.
std::vector<std::size_t> positions_in_time(const std::vector<Run>& runs) {
  std::vector<std::size_t> order(runs.size()), position(runs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) {
    const auto& start = runs[i].head.start_utc;
    return std::tuple(!start.has_value(), start.value_or(""));
  });
  for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = i;
  return position;
}

/// By run, a number from 1 that identifies its set of hosts; 0 if they are unknown.
std::vector<std::size_t> numbers_of_hosts(const std::vector<Run>& runs) {
  using Identity = std::tuple<std::string, std::string, std::string, std::string>;
  std::map<std::set<Identity>, std::size_t> numbers{{{}, 0}};
  std::vector<std::size_t> of_runs;
  for (const Run& run : runs) {
    std::set<Identity> hosts;
    for (const Host& host : run.head.hosts)
      hosts.emplace(host.name, host.virtualisation, host.container.value_or(""), host.lab.value_or(""));
    of_runs.push_back(numbers.try_emplace(std::move(hosts), numbers.size()).first->second);
  }
  return of_runs;
}

/// True if the sides took turns: each two successive launches are one from each side.
bool alternating(Figures a, Figures b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i + 1 < a.size(); ++i) {
    if (std::max(a[i].place.start, b[i].place.start) > std::min(a[i + 1].place.start, b[i + 1].place.start))
      return false;
  }
  return true;
}

/// True if all launches of both sides ran on the same, known hosts.
bool on_same_hosts(Figures a, Figures b) {
  const auto same = [&](const FigureOfLaunch& f) { return f.place.hosts == a.front().place.hosts; };
  return a.front().place.hosts != 0 && std::ranges::all_of(a, same) && std::ranges::all_of(b, same);
}

/// Sets the grade of a side: that of the middle launch.
void set_grade(Measured& side, Figures launches) {
  std::vector<const CaseGrade*> graded;
  for (const FigureOfLaunch& launch : launches)
    if (launch.graded) graded.push_back(&*launch.graded);
  if (graded.empty()) return;
  std::ranges::stable_sort(graded, {}, &CaseGrade::grade);
  const CaseGrade& middle = *graded[graded.size() / 2];  // of two, the worse
  side.grade = middle.grade;
  side.doubts = middle.doubts();
}

Measured measured(Figures launches) {
  Measured side;
  set_grade(side, launches);
  std::vector<double> values;
  for (const FigureOfLaunch& launch : launches) {
    side.launches.push_back(launch.figure);
    side.wall_s += launch.wall_s;
    values.push_back(launch.figure.value);
  }
  side.value = geometric_mean(values);
  return side;
}

std::string name_of(const Run& run) {
  return run.head.start_utc ? fmt::format("{} ({})", run.path, *run.head.start_utc) : run.path;
}

/// Names the outlying launches and takes them out of the values of their sides.
void tell_outlying(ComparedCase& point, Figures a, Figures b) {
  if (point.outlying.empty()) return;
  for (OutlyingLaunch& one : point.outlying) one.name = name_of(*(one.of_b ? b : a)[one.launch].place.run);
  for (const bool of_b : {false, true}) {
    Measured& side = of_b ? point.b : point.a;
    std::vector<double> kept;
    for (std::size_t i = 0; i < side.launches.size(); ++i) {
      const auto is_this = [&](const OutlyingLaunch& one) { return one.of_b == of_b && one.launch == i; };
      if (std::ranges::none_of(point.outlying, is_this)) kept.push_back(side.launches[i].value);
    }
    side.value = geometric_mean(kept);
  }
}

}  // namespace

std::vector<PlaceOfLaunch> places_of_launches(const std::vector<Run>& runs) {
  const std::vector<std::size_t> position = positions_in_time(runs), hosts = numbers_of_hosts(runs);
  std::vector<PlaceOfLaunch> places;
  for (std::size_t i = 0; i < runs.size(); ++i)
    places.push_back({.start = position[i], .hosts = hosts[i], .run = &runs[i]});
  return places;
}

ComparedCase estimate_point(Figures a, Figures b, const Quantity& quantity, Design design,
                            const ComparisonOptions& options) {
  ComparedCase point{.quantity = &quantity, .a = measured(a), .b = measured(b)};
  design.grade = point.grade();
  const Estimate e = estimate(point.a.launches, point.b.launches, design, options);
  if (e.basis == Basis::pairs)
    for (Measured* side : {&point.a, &point.b}) side->grade = std::min(side->grade, Grade::c);
  point.basis = e.basis;
  point.ratio = e.ratio;
  point.ratio_of_all = e.ratio_of_all;
  point.outlying = e.outlying;
  return point;
}

ComparedCase point_between(Figures a, Figures b, const Quantity& quantity, const ComparisonOptions& options) {
  ComparedCase point =
      estimate_point(a, b, quantity, {.alternating = alternating(a, b), .same_hosts = on_same_hosts(a, b)}, options);
  tell_outlying(point, a, b);
  return point;
}

}  // namespace busbar::compare
