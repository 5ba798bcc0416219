// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/comparison.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>
#include <unordered_map>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/grades/grade.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "reports/compare/comparability.hpp"
#include "reports/compare/point.hpp"

namespace busbar::compare {
namespace {

/// A case of one launch.
struct Launch {
  PlaceOfLaunch place;
  const CaseRecord* result = nullptr;
  std::optional<CaseGrade> graded;
};

/// Cases with one key, by side.
struct Row {
  CaseKey key;
  std::string series;  ///< rows of one series are adjacent
  std::vector<std::vector<Launch>> sides;
};

struct Rows {
  std::string title;
  std::string measurement;  ///< the title without ranks and nodes
  std::vector<Row> rows;
  std::vector<const Run*> runs;  ///< runs with cases in these rows, without repeats
  std::unordered_map<std::string, std::size_t> by_key;
};

Row& row_of(Rows& set, const CaseKey& key, std::size_t sides) {
  const auto [at, is_new] = set.by_key.try_emplace(to_string(key), set.rows.size());
  if (is_new)
    set.rows.push_back({.key = key, .series = series_name(key), .sides = std::vector<std::vector<Launch>>(sides)});
  return set.rows[at->second];
}

/// Puts sets of one measurement together, the fewest ranks first. Measurements stay in order of their first case.
void put_in_order_of_scale(std::vector<Rows>& all) {
  std::unordered_map<std::string, std::size_t> first;
  for (const Rows& set : all) first.try_emplace(set.measurement, first.size());
  std::ranges::stable_sort(all, {}, [&](const Rows& set) {
    const CaseKey& key = set.rows.front().key;
    return std::tuple(first.at(set.measurement), key.ranks, key.nodes);
  });
}

std::string measurement_of(const Request& request, std::size_t run, CaseKey key) {
  key.ranks = 0;
  key.nodes.reset();
  key.ranks_per_node.reset();
  return request.set_of(run, key);
}

std::vector<Rows> gather(const std::vector<Run>& runs, const Request& request) {
  std::vector<Rows> all;
  std::unordered_map<std::string, std::size_t> by_title;
  const std::vector<PlaceOfLaunch> places = places_of_launches(runs);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Grader grader(runs[i]);
    for (const CaseRecord& c : runs[i].cases) {
      if (!is_measured(c.status)) continue;
      const auto side = request.side_of(i, c);
      if (!side) continue;
      CaseKey key = c.key;
      request.blank(key);
      std::string title = request.set_of(i, key);
      const auto [at, is_new] = by_title.try_emplace(title, all.size());
      if (is_new) all.push_back({.title = std::move(title), .measurement = measurement_of(request, i, key)});
      Rows& set = all[at->second];
      if (set.runs.empty() || set.runs.back() != &runs[i]) set.runs.push_back(&runs[i]);
      row_of(set, key, request.sides.size())
          .sides[*side]
          .push_back({.place = places[i], .result = &c, .graded = grader.grade_case(c)});
    }
  }
  put_in_order_of_scale(all);
  return all;
}

/// Their figures; empty if one has none.
std::optional<std::vector<FigureOfLaunch>> figures_of(const std::vector<Launch>& launches, const Quantity& quantity) {
  std::vector<FigureOfLaunch> all;
  for (const Launch& launch : launches) {
    const auto figure = quantity.of(*launch.result);
    if (!figure) return std::nullopt;
    all.push_back({.place = launch.place,
                   .figure = *figure,
                   .graded = launch.graded,
                   .wall_s = launch.result->wall_s.value_or(0)});
  }
  return all;
}

/// The point of a row, for the first quantity that all its launches have; empty if there is none.
std::optional<ComparedCase> point_of(const Row& row, std::size_t a, std::size_t b, const ComparisonOptions& options) {
  static constexpr std::array<std::string_view, 4> in_order{"rate", "time", "algbw", "busbw"};
  for (const std::string_view name : in_order) {
    if (!options.metric.empty() && name != options.metric) continue;
    const Quantity* quantity = find_quantity(name);
    const auto of_a = figures_of(row.sides[a], *quantity), of_b = figures_of(row.sides[b], *quantity);
    if (!of_a || !of_b) continue;
    ComparedCase point = point_between(*of_a, *of_b, *quantity, options);
    point.key = row.key;
    point.unit = quantity->unit(*row.sides[a].front().result);
    return point;
  }
  return std::nullopt;
}

Pair pair_of(const Rows& set, std::size_t a, std::size_t b, const ComparisonOptions& options) {
  Pair pair{.a = a, .b = b};
  for (const Row& row : set.rows) {
    const bool has_a = !row.sides[a].empty(), has_b = !row.sides[b].empty();
    pair.only_a += has_a && !has_b;
    pair.only_b += has_b && !has_a;
    if (!has_a || !has_b) continue;
    if (auto point = point_of(row, a, b, options)) pair.points.push_back(std::move(*point));
  }
  set_verdicts(pair.points, options);
  return pair;
}

/// Sorts rows by series, in order of first case, and by size; sorts launches by start.
void put_in_order(Rows& set) {
  std::unordered_map<std::string, std::size_t> first;
  for (const Row& row : set.rows) first.try_emplace(row.series, first.size());
  std::ranges::stable_sort(set.rows, {}, [&](const Row& r) { return std::tuple(first.at(r.series), r.key.bytes); });
  for (Row& row : set.rows) {
    for (auto& side : row.sides) std::ranges::stable_sort(side, {}, [](const Launch& l) { return l.place.start; });
  }
}

Set set_of(const Rows& rows, const Request& request) {
  Set set{.title = rows.title, .sides = request.sides};
  for (std::size_t a = 0; a < request.sides.size(); ++a) {
    if (request.with_first && a > 0) break;
    for (std::size_t b = a + 1; b < request.sides.size(); ++b) {
      Pair pair = pair_of(rows, a, b, request.options);
      if (!pair.points.empty() || pair.only_a + pair.only_b > 0) set.pairs.push_back(std::move(pair));
    }
  }
  return set;
}

std::vector<CaseKey> keys_of(const std::vector<Rows>& all, std::size_t side) {
  std::vector<CaseKey> keys;
  for (const Rows& rows : all) {
    for (const Row& row : rows.rows) {
      if (!row.sides[side].empty()) keys.push_back(row.key);
    }
  }
  return keys;
}

/// The first run of the first set with cases of this side; nullptr if there is none.
const Run* run_of(const std::vector<Rows>& all, std::size_t side) {
  for (const Rows& rows : all) {
    const bool has = std::ranges::any_of(rows.rows, [&](const Row& row) { return !row.sides[side].empty(); });
    if (has) return rows.runs.front();
  }
  return nullptr;
}

[[noreturn]] void refuse_without_points(const std::vector<Rows>& gathered, const Request& request) {
  const auto& sides = request.sides;
  const auto named = [&](std::size_t i) { return request.about.empty() ? sides[i] : request.about[i]; };
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (run_of(gathered, i) == nullptr) throw UsageError(fmt::format("{}: has no measured case", named(i)));
  }
  const std::string two = fmt::format("{} and {} have no case in common", named(0), named(1));
  if (const std::string why = nearest_difference(keys_of(gathered, 0), keys_of(gathered, 1)); !why.empty())
    throw UsageError(fmt::format("{}; the closest cases differ in {}; --across FIELD ignores a field", two, why));
  const std::string labels = label_difference(run_of(gathered, 0)->head, run_of(gathered, 1)->head, request.criterion);
  if (!labels.empty()) throw UsageError(fmt::format("{}; they differ in the labels {}", two, labels));
  throw UsageError(fmt::format("{} and {} have no case with {} on both sides", named(0), named(1),
                               request.options.metric.empty() ? "a figure" : request.options.metric));
}

/// A launch that is in the input twice would be compared with itself, or count as two.
void refuse_repeated_launches(const std::vector<Run>& runs) {
  std::unordered_map<std::string_view, const Run*> by_id;
  for (const Run& run : runs) {
    if (run.head.id.empty()) continue;
    const auto [at, is_new] = by_id.try_emplace(run.head.id, &run);
    if (!is_new)
      throw UsageError(fmt::format("{} and {} contain the same launch, {}: give each launch once, on one side",
                                   at->second->path, run.path, run.head.id));
  }
}

}  // namespace

std::size_t Pair::count(Verdict verdict) const {
  return static_cast<std::size_t>(std::ranges::count(points, verdict, &ComparedCase::verdict));
}

Comparison compare(const std::vector<Run>& runs, const Request& request) {
  refuse_repeated_launches(runs);
  Comparison all;
  std::vector<Rows> gathered = gather(runs, request);
  std::set<std::string> notes;
  for (Rows& rows : gathered) {
    for (std::string& note : check_methods(rows.runs, request.across)) notes.insert(std::move(note));
    put_in_order(rows);
    Set set = set_of(rows, request);
    const bool joined = std::ranges::any_of(set.pairs, [](const Pair& p) { return !p.points.empty(); });
    if (joined) all.sets.push_back(std::move(set));
  }
  if (all.sets.empty()) refuse_without_points(gathered, request);
  all.notes.assign(notes.begin(), notes.end());
  return all;
}

}  // namespace busbar::compare
