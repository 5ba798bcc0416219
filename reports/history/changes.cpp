// SPDX-License-Identifier: Apache-2.0
#include "reports/history/changes.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "reports/compare/comparison.hpp"
#include "reports/compare/text.hpp"
#include "reports/text/text.hpp"

namespace busbar::history {
namespace {

/// Costs of one case, one value per launch; NaN where missing.
struct Series {
  CaseKey key;
  std::vector<double> costs;
};

std::vector<Series> series_of(std::span<const Run* const> runs) {
  std::vector<Series> all;
  std::map<std::string, std::size_t> by_key;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (const CaseRecord& c : runs[i]->cases) {
      if (!is_measured(c.status)) continue;
      const auto [at, is_new] = by_key.try_emplace(to_string(c.key), all.size());
      if (is_new) all.push_back({.key = c.key, .costs = std::vector<double>(runs.size(), std::nan(""))});
      all[at->second].costs[i] = cost_of(c);
    }
  }
  std::erase_if(all, [&](const Series& s) {
    const auto known = std::ranges::count_if(s.costs, [](double v) { return !std::isnan(v); });
    return 2 * static_cast<std::size_t>(known) < runs.size();
  });
  return all;
}

/// Those that moved in this direction: slower, or faster.
Moved moved_cases(std::span<const std::vector<double>> costs, const std::vector<SeriesShift>& shifts,
                  const ChangePoint& point, bool slower) {
  std::vector<std::size_t> which;
  for (const SeriesShift& s : shifts)
    if (s.moved && (s.shift.ratio > 1) == slower) which.push_back(s.series);
  if (which.empty()) return {};
  return {.cases = which.size(), .median = median_shift(costs, which, point)};
}

/// "+15 % (13 to 17)".
std::string percent_text(const Shift& s) {
  const auto percent = [](double ratio) { return 100 * (ratio - 1); };
  const int digits = std::abs(percent(s.interval.high) - percent(s.interval.low)) < 2 ? 1 : 0;
  return fmt::format("{:+.{}f} % ({:.{}f} to {:.{}f})", percent(s.ratio), digits, percent(s.interval.low), digits,
                     percent(s.interval.high), digits);
}

/// "96 of 96 cases are slower, median +15 % (13 to 17)".
std::string moved_text(const Change& change) {
  std::string text;
  const auto add = [&](const Moved& moved, const char* word) {
    if (moved.cases == 0) return;
    text += fmt::format("{}{} of {} {} {}", text.empty() ? "" : "; ", moved.cases, change.cases.size(),
                        change.cases.size() == 1 ? "case is"
                        : moved.cases == 1       ? "cases is"
                                                 : "cases are",
                        word);
    if (moved.median) text += fmt::format(", {}{}", moved.cases == 1 ? "" : "median ", percent_text(*moved.median));
  };
  add(change.slower, "slower");
  add(change.faster, "faster");
  return text.empty() ? "the cases together changed, none clearly by itself" : text;
}

const char* direction(const Change::Case& c) {
  if (!c.moved) return "not clear";
  return c.slowdown.ratio > 1 ? "slower" : "faster";
}

}  // namespace

double cost_of(const CaseRecord& c) {
  for (const std::string_view name : {"rate", "time", "algbw"}) {
    const compare::Quantity* quantity = compare::find_quantity(name);
    if (const auto figure = quantity->of(c)) return quantity->higher_is_better ? 1 / figure->value : figure->value;
  }
  return std::nan("");
}

std::string start_of(const Run& run) { return run.head.start_utc.value_or(run.path); }

std::vector<Change> changes(std::span<const Run* const> launches) {
  const std::vector<Series> all = series_of(launches);
  std::vector<std::vector<double>> costs;
  for (const Series& s : all) costs.push_back(s.costs);
  std::vector<Change> found;
  for (const ChangePoint& point : change_points(costs)) {
    const std::vector<SeriesShift> shifts = series_shifts(costs, point);
    Change& change = found.emplace_back();
    change.kind = point.kind;
    change.since = start_of(*launches[point.kind == ChangeKind::drift ? point.before.last - 1 : point.at]);
    change.last_before = start_of(*launches[point.at - 1]);
    change.last = start_of(*launches[point.behind.last - 1]);
    change.launches = point.behind.last - point.before.first;
    change.p = point.p;
    for (const SeriesShift& s : shifts)
      change.cases.push_back({.key = all[s.series].key, .slowdown = s.shift, .moved = s.moved});
    change.slower = moved_cases(costs, shifts, point, true);
    change.faster = moved_cases(costs, shifts, point, false);
  }
  return found;
}

std::string sentence(const Change& change) {
  switch (change.kind) {
    case ChangeKind::step:
      return fmt::format("Since {} {}.", change.since, moved_text(change));
    case ChangeKind::unclear:
      return fmt::format("Since about {} {}. It may have come at once or gradually: the launches do not tell.",
                         change.since, moved_text(change));
    case ChangeKind::drift:
      return fmt::format("A drift, with no date: {}, from the first third of {} launches, until {}, to the last.",
                         moved_text(change), change.launches, change.since);
  }
  return {};
}

report::Table table_of(const Change& change) {
  using enum report::ColumnKind;
  report::Table table{
      .title = fmt::format("Since {} (previous launch: {}); p = {:.4f} over all cases", change.since,
                           change.last_before, change.p),
      .columns = {{"size", number}, {"slowdown", number}, {"interval", name}, {"change", name}, {"case"}}};
  if (change.kind == ChangeKind::drift)
    table.title = fmt::format("A drift up to {}; p = {:.4f} over all cases", change.last, change.p);
  for (const Change::Case& c : change.cases)
    table.rows.push_back({format_size(c.key.bytes), compare::ratio_text(c.slowdown.ratio),
                          compare::interval_text(c.slowdown.interval), direction(c),
                          report::subject(c.key) + ": " + report::describe(c.key)});
  return table;
}

}  // namespace busbar::history
