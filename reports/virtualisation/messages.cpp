// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include <fmt/core.h>

#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "reports/document/pair_matrix.hpp"
#include "reports/text/text.hpp"
#include "reports/virtualisation/gathered.hpp"

namespace busbar::virtualisation {
namespace {

using compare::ComparedCase, compare::FigureOfLaunch, compare::Quantity;
using Sizes = std::map<std::uint64_t, const CaseRecord*>;
using Cases = std::vector<const CaseRecord*>;

/// A collective over size, in each launch of both sides.
struct Sweep {
  CaseKey key;
  std::string name;
  std::array<std::map<std::size_t, Sizes>, 2> launches;  ///< by run
};

bool is_message(const CaseRecord& c) {
  return (c.key.kind == CaseKind::collective || c.key.kind == CaseKind::pair) && !report::pair_ends(c);
}

void set_names(std::vector<Sweep>& sweeps) {
  std::vector<const CaseKey*> keys;
  for (const Sweep& sweep : sweeps) keys.push_back(&sweep.key);
  const auto names = report::series_names(keys);
  for (std::size_t i = 0; i < sweeps.size(); ++i)  // "pingpong" rather than "pair pingpong"
    sweeps[i].name = keys[i]->collective + names[i].substr(report::subject(*keys[i]).size());
}

/// Those that both sides have, in order of appearance.
std::vector<Sweep> sweeps_of(const Study& study, const Gathered& gathered) {
  std::vector<Sweep> all;
  std::map<std::string, std::size_t> known;
  for (std::size_t side = 0; side < 2; ++side) {
    for (const std::size_t run : study.sides[side].runs) {
      for (const CaseRecord& c : gathered.run(run).cases) {
        const auto key = is_message(c) ? gathered.key_on(study.sides[side], run, c) : std::nullopt;
        if (!key) continue;
        const auto [at, is_new] = known.try_emplace(series_name(*key), all.size());
        if (is_new) all.push_back({.key = *key});
        all[at->second].launches[side][run].emplace(c.key.bytes, &c);
      }
    }
  }
  std::erase_if(all, [](const Sweep& s) { return s.launches[reference].empty() || s.launches[other].empty(); });
  set_names(all);
  return all;
}

/// Sizes that all launches of both sides have.
std::vector<std::uint64_t> common_sizes(const Sweep& sweep) {
  std::vector<std::uint64_t> common;
  for (const auto& [bytes, any] : sweep.launches[reference].begin()->second) {
    const auto has = [bytes = bytes](const auto& launch) { return launch.second.contains(bytes); };
    if (std::ranges::all_of(sweep.launches[reference], has) && std::ranges::all_of(sweep.launches[other], has))
      common.push_back(bytes);
  }
  return common;
}

enum class Class { none, small, large };  ///< none: without bytes at all, such as barriers

std::vector<std::uint64_t> of_class(const std::vector<std::uint64_t>& sizes, Class which) {
  if (sizes.empty()) return {};
  std::vector<std::uint64_t> some;
  for (const std::uint64_t bytes : sizes) {
    const bool is_small = bytes > 0 && bytes <= largest_small;
    const bool is_large = bytes > least_large && bytes * large_within >= sizes.back();
    const bool belongs = which == Class::none ? sizes.back() == 0 : which == Class::small ? is_small : is_large;
    if (belongs) some.push_back(bytes);
  }
  return some;
}

/// Geometric mean over cases, with the means of the limits of their intervals; empty if one has no figure.
std::optional<LaunchFigure> mean_figure(const Cases& cases, const Quantity& quantity) {
  std::vector<double> values, lows, highs;
  for (const CaseRecord* c : cases) {
    const auto figure = quantity.of(*c);
    if (!figure) return std::nullopt;
    values.push_back(figure->value);
    if (!figure->interval || !(figure->interval->low > 0)) continue;
    lows.push_back(figure->interval->low);
    highs.push_back(figure->interval->high);
  }
  LaunchFigure mean{.value = geometric_mean(values)};
  if (lows.size() == values.size())
    mean.interval = Interval{.low = geometric_mean(lows),
                             .high = geometric_mean(highs),
                             .confidence = quantity.of(*cases.front())->interval->confidence};
  return mean;
}

/// The grade in the middle of the cases' grades.
std::optional<CaseGrade> middle_grade(const Gathered& gathered, std::size_t run, const Cases& cases) {
  std::vector<CaseGrade> grades;
  for (const CaseRecord* c : cases)
    if (auto graded = gathered.grade_case(run, *c)) grades.push_back(std::move(*graded));
  if (grades.empty()) return std::nullopt;
  std::ranges::stable_sort(grades, {}, &CaseGrade::grade);
  return grades[grades.size() / 2];
}

/// Cases of each launch of a side, by run.
using CasesOfRuns = std::map<std::size_t, Cases>;

std::optional<ComparedCase> pooled(const Gathered& gathered, const std::array<CasesOfRuns, 2>& cases,
                                   const Quantity& quantity) {
  std::array<std::vector<FigureOfLaunch>, 2> figures;
  for (std::size_t side = 0; side < 2; ++side) {
    for (const auto& [run, some] : cases[side]) {
      const auto figure = mean_figure(some, quantity);
      if (!figure) return std::nullopt;
      figures[side].push_back(
          {.place = gathered.place(run), .figure = *figure, .graded = middle_grade(gathered, run, some)});
    }
  }
  auto point = gathered.point(std::move(figures), quantity);
  if (point) point->unit = quantity.unit(*cases[reference].begin()->second.front());
  return point;
}

/// The first of these quantities that all cases have.
std::optional<ComparedCase> pooled(const Gathered& gathered, const std::array<CasesOfRuns, 2>& cases, Class which) {
  static constexpr std::array<std::string_view, 3> of_times{"time", "busbw", "algbw"};
  static constexpr std::array<std::string_view, 3> of_bandwidths{"busbw", "algbw", "time"};
  if (cases[reference].empty() || cases[other].empty()) return std::nullopt;
  for (const std::string_view name : which == Class::large ? of_bandwidths : of_times)
    if (auto point = pooled(gathered, cases, *compare::find_quantity(name))) return point;
  return std::nullopt;
}

void add_cases(std::array<CasesOfRuns, 2>& all, const Sweep& sweep, const std::vector<std::uint64_t>& sizes) {
  for (std::size_t side = 0; side < 2; ++side)
    for (const auto& [run, by_size] : sweep.launches[side])
      for (const std::uint64_t bytes : sizes) all[side][run].push_back(by_size.at(bytes));
}

std::string_view word_of(Class which) {
  return which == Class::none ? "" : which == Class::small ? ", small" : ", large";
}

void add_rows(Study& study, const Gathered& gathered, const Sweep& sweep) {
  const std::vector<std::uint64_t> common = common_sizes(sweep);
  for (const Class which : {Class::none, Class::small, Class::large}) {
    const std::vector<std::uint64_t> sizes = of_class(common, which);
    if (sizes.empty()) continue;
    std::array<CasesOfRuns, 2> cases;
    add_cases(cases, sweep, sizes);
    if (auto point = pooled(gathered, cases, which))
      study.messages.push_back({.what = sweep.name + std::string(word_of(which)),
                                .sizes = which == Class::none ? "" : report::size_list(sizes),
                                .point = std::move(*point)});
  }
}

/// Sweeps that the same launches measured.
std::vector<std::vector<const Sweep*>> by_launches(const std::vector<Sweep>& sweeps) {
  std::map<std::set<std::size_t>, std::size_t> known;
  std::vector<std::vector<const Sweep*>> all;
  for (const Sweep& sweep : sweeps) {
    std::set<std::size_t> runs;
    for (const auto& side : sweep.launches)
      for (const auto& [run, sizes] : side) runs.insert(run);
    const auto [at, is_new] = known.try_emplace(runs, all.size());
    if (is_new) all.emplace_back();
    all[at->second].push_back(&sweep);
  }
  return all;
}

/// "small messages"; with the collectives if not all launches have the same.
std::string overall_name(const std::vector<const Sweep*>& sweeps, Class which, bool alone) {
  std::vector<std::string> names;
  for (const Sweep* sweep : sweeps) names.push_back(sweep->name);
  return fmt::format("{} messages{}", which == Class::small ? "small" : "large",
                     alone ? "" : fmt::format(" of {}", report::list(names)));
}

void add_overall(Study& study, const Gathered& gathered, const std::vector<Sweep>& sweeps) {
  const auto groups = by_launches(sweeps);
  for (const auto& group : groups) {
    for (const Class which : {Class::small, Class::large}) {
      std::array<CasesOfRuns, 2> cases;
      std::set<std::uint64_t> sizes;
      for (const Sweep* sweep : group) {
        const auto some = of_class(common_sizes(*sweep), which);
        add_cases(cases, *sweep, some);
        sizes.insert(some.begin(), some.end());
      }
      const std::vector<std::uint64_t> listed(sizes.begin(), sizes.end());
      if (listed.empty()) continue;
      if (auto point = pooled(gathered, cases, *compare::find_quantity("time")))
        study.overall.push_back({.what = overall_name(group, which, groups.size() == 1),
                                 .sizes = report::size_list(listed),
                                 .point = std::move(*point)});
    }
  }
}

void add_curves(Study& study, const compare::Told& told, const std::vector<Sweep>& sweeps) {
  std::map<std::string, std::vector<ComparedCase>> points;
  for (ComparedCase& p : points_of(told, study))
    if (p.key.bytes > 0) points[series_name(p.key)].push_back(std::move(p));
  for (const Sweep& sweep : sweeps)
    if (const auto at = points.find(series_name(sweep.key)); at != points.end())
      study.curves.push_back({.what = sweep.name, .points = std::move(at->second)});
}

}  // namespace

void add_messages(Study& study, const Gathered& gathered) {
  const std::vector<Sweep> sweeps = sweeps_of(study, gathered);
  for (const Sweep& sweep : sweeps) add_rows(study, gathered, sweep);
  add_overall(study, gathered, sweeps);
  add_curves(study, gathered.told(), sweeps);
  for (std::vector<Row>* rows : {&study.messages, &study.overall}) {
    std::vector<ComparedCase*> points;
    for (Row& row : *rows) points.push_back(&row.point);
    set_verdicts(points, gathered.options());
  }
}

}  // namespace busbar::virtualisation
