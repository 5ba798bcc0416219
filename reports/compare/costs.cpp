// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/units.hpp"
#include "reports/compare/document.hpp"
#include "reports/compare/text.hpp"
#include "reports/text/text.hpp"

namespace busbar::compare {
namespace {

using report::ColumnKind;
using report::Table;

/// "+93.1 % (+88.0 to +99.0)", with "=" or "?" behind it if the verdict is neither slower nor faster.
std::string cost_text(const ComparedCase& p) {
  std::string s = change_text(p.ratio.ratio()) + " %";
  if (p.ratio.standard_error > 0)
    s += fmt::format(" ({} to {})", change_text(p.interval.low), change_text(p.interval.high));
  if (p.verdict == Verdict::same) return s + " =";
  return p.verdict == Verdict::slower || p.verdict == Verdict::faster ? s : s + " ?";
}

/// "64 KiB"; of a training its scale; of a barrier, the only row of its series, its name.
std::string row_name(const ComparedCase& p, bool alone) {
  if (p.key.training) return report::scale_text(p.key);
  return p.key.bytes == 0 && alone ? report::subject(p.key) : format_size(p.key.bytes);
}

/// "+0.9 % to +11.6 %; slower at 18, ? at 1": the smallest and largest change, and how many points have which verdict.
std::string overview_text(const Pair& pair) {
  const auto ratio = [](const ComparedCase& p) { return p.ratio.ratio(); };
  const auto [least, most] = std::ranges::minmax_element(pair.points, {}, ratio);
  const std::string low = change_text(ratio(*least)), high = change_text(ratio(*most));
  const std::string s = low == high ? low + " %" : fmt::format("{} % to {} %", low, high);
  std::vector<std::string> parts;
  for (const Verdict v : {Verdict::slower, Verdict::faster, Verdict::same, Verdict::inconclusive, Verdict::disturbed})
    if (const std::size_t n = pair.count(v); n > 0)
      parts.push_back(n == pair.points.size() ? std::string(name(v)) : fmt::format("{} at {}", name(v), n));
  return fmt::format("{}; {}", s, fmt::join(parts, ", "));
}

/// Points of one series by row, with the point of each pair.
struct Series {
  std::string title;
  std::vector<std::pair<std::string, std::map<const Pair*, const ComparedCase*>>> rows;  ///< key as text, points
};

std::vector<Series> series_of(const Set& set) {
  std::vector<Series> all;
  std::map<std::string, std::size_t> known;
  for (const Pair& pair : set.pairs) {
    for (const ComparedCase& p : pair.points) {
      const auto [at, is_new] = known.try_emplace(series_name(p.key), all.size());
      if (is_new) all.push_back({.title = report::subject(p.key) + ": " + report::describe(p.key)});
      auto& rows = all[at->second].rows;
      const std::string key = to_string(p.key);
      auto row = std::ranges::find(rows, key, [](const auto& r) { return r.first; });
      if (row == rows.end()) row = rows.insert(rows.end(), {key, {}});
      row->second.emplace(&pair, &p);
    }
  }
  return all;
}

Table table_of(const Set& set, const Series& series) {
  const ComparedCase& one = *series.rows.front().second.begin()->second;
  Table table{.title = fmt::format("{}; {} against {}", series.title, one.quantity->name, set.sides.front()),
              .columns = {{one.key.training     ? "scale"
                           : one.key.bytes == 0 ? ""
                                                : "size",
                           ColumnKind::number},
                          {set.sides.front(), ColumnKind::number}}};
  for (const Pair& pair : set.pairs)
    if (!pair.points.empty()) table.columns.push_back({set.sides[pair.b], ColumnKind::name});
  for (const auto& [key, points] : series.rows) {
    const ComparedCase& any = *points.begin()->second;
    auto& cells =
        table.rows.emplace_back(std::vector{row_name(any, series.rows.size() == 1), value_text(any, any.a.value)});
    for (const Pair& pair : set.pairs) {
      if (pair.points.empty()) continue;
      const auto p = points.find(&pair);
      cells.push_back(p == points.end() ? "" : cost_text(*p->second));
    }
  }
  return table;
}

/// "allreduce, 64 ranks on 4 nodes", or the whole titles if these do not tell the sets apart.
std::vector<std::string> short_titles(const std::vector<Set>& sets) {
  std::vector<std::string> titles, whole;
  for (const Set& set : sets) {
    const auto pair = std::ranges::find_if(set.pairs, [](const Pair& p) { return !p.points.empty(); });
    const CaseKey& key = pair->points.front().key;
    titles.push_back(fmt::format("{}, {}", report::subject(key), report::scale_text(key)));
    whole.push_back(set.title);
  }
  const std::set<std::string> distinct(titles.begin(), titles.end());
  return distinct.size() == sets.size() ? titles : whole;
}

}  // namespace

std::vector<report::Table> cost_tables(const Set& set) {
  std::vector<Table> tables;
  for (const Series& series : series_of(set)) tables.push_back(table_of(set, series));
  return tables;
}

report::Table cost_overview(const Told& told) {
  const auto& sides = told.request.sides;
  Table table{.title = fmt::format("Smallest and largest change against {} over all sizes", sides.front()),
              .columns = {{"", ColumnKind::text}, {"points", ColumnKind::number}}};
  for (std::size_t side = 1; side < sides.size(); ++side) table.columns.push_back({sides[side], ColumnKind::text});
  const std::vector<std::string> titles = short_titles(told.comparison.sets);
  for (std::size_t i = 0; i < titles.size(); ++i) {
    const Set& set = told.comparison.sets[i];
    std::vector<std::string> cells(sides.size() + 1);
    cells[0] = titles[i];
    std::size_t points = 0;
    for (const Pair& pair : set.pairs) {
      if (pair.points.empty()) continue;
      points = std::max(points, pair.points.size());
      cells[pair.b + 1] = overview_text(pair);
    }
    cells[1] = std::to_string(points);
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace busbar::compare
