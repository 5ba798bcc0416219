// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "reports/compare/document.hpp"
#include "reports/compare/text.hpp"
#include "reports/text/text.hpp"

namespace busbar::compare {
namespace {

using report::ColumnKind;
using report::Figure;
using report::LegendEntry;
using report::Mark;
using report::Plot;
using report::PlotKind;
using report::Range;
using report::Table;

/// A point and its pair.
struct Item {
  const Pair* pair = nullptr;
  const ComparedCase* point = nullptr;
};
using Items = std::vector<Item>;

/// Points of all pairs of a set, grouped by series in order of appearance.
std::vector<Items> by_series(const Set& set) {
  std::map<std::string, std::size_t> known;
  std::vector<Items> all;
  for (const Pair& pair : set.pairs) {
    for (const ComparedCase& point : pair.points) {
      const std::string series = point.key.training ? "training" : series_name(point.key);
      const auto [at, is_new] = known.try_emplace(series, all.size());
      if (is_new) all.emplace_back();
      all[at->second].push_back({&pair, &point});
    }
  }
  return all;
}

/// "1.021 to 1.047", with a word if the variation between launches is assumed; "none".
std::string interval_fact(const ComparedCase& p) {
  if (!(p.ratio.standard_error > 0)) return "none";
  return interval_text(p.interval) + (p.basis == Basis::assumed ? " (assumed variation)" : "");
}

std::optional<Range> interval_of(const ComparedCase& p) {
  if (!(p.ratio.standard_error > 0)) return std::nullopt;
  return Range{p.interval.low, p.interval.high};
}

/// The pair of all items; null if they have several.
const Pair* only_pair(const Items& items) {
  const Pair* pair = items.front().pair;
  return std::ranges::all_of(items, [&](const Item& item) { return item.pair == pair; }) ? pair : nullptr;
}

/// The values of one pair have the names of its sides above them.
Table behind(const Set& set, const Items& items, std::string title) {
  const bool training = items.front().point->key.training.has_value();
  const Pair* one = only_pair(items);
  Table t{.title = std::move(title),
          .columns = {{training ? "scale" : "size", ColumnKind::number},
                      {one ? set.sides[one->a] : "first", ColumnKind::number},
                      {one ? set.sides[one->b] : "second", ColumnKind::number},
                      {"ratio", ColumnKind::number},
                      {"interval", ColumnKind::name},
                      {"verdict", ColumnKind::status}}};
  if (one == nullptr) t.columns.insert(t.columns.begin(), {"sides", ColumnKind::name});
  for (const auto& [pair, p] : items) {
    auto& row = t.rows.emplace_back(std::vector{training ? report::scale_text(p->key) : format_size(p->key.bytes),
                                                value_text(*p, p->a.value), value_text(*p, p->b.value),
                                                ratio_text(p->ratio.ratio()), interval_fact(*p), verdict_text(*p)});
    if (one == nullptr) row.insert(row.begin(), fmt::format("{}, then {}", set.sides[pair->a], set.sides[pair->b]));
  }
  return t;
}

// Ratios over size

/// What above and below 1 means, in words.
std::vector<report::Region> regions(const Set& set, const Items& items, const Range& y) {
  const Pair* one = only_pair(items);
  const std::string who = one ? set.sides[one->b] : "the second side";
  const bool higher_is_better = items.front().point->quantity->higher_is_better;
  const auto region = [&](Range part, bool good) {
    return report::Region{.label = who + (good ? " faster" : " slower"), .y = part, .good = good};
  };
  return {region({1, y.high}, higher_is_better), region({y.low, 1}, !higher_is_better)};
}

/// Ratio over size, one line per pair. Empty if there is only one size.
std::optional<Figure> ratios(const Told& told, const Set& set, const Items& items, const std::string& series) {
  const ComparedCase& one = *items.front().point;
  const double margin = told.request.options.margin;
  Figure figure{.title = series,
                .caption = fmt::format("Ratio of {} with its {:g} % interval, {}.", one.quantity->name,
                                       100 * told.request.options.confidence, report::describe(one.key)),
                .tables = {behind(set, items, "All points")}};
  Plot plot;
  std::map<const Pair*, std::size_t> lines;
  Range sizes{1e300, 0};
  for (const auto& [pair, p] : items) {
    if (p->key.bytes == 0) continue;
    const auto [at, is_new] = lines.try_emplace(pair, figure.lines.size());
    if (is_new) add_line(figure, pair_name(set, *pair));
    const auto size = static_cast<double>(p->key.bytes);
    sizes = {std::min(sizes.low, size), std::max(sizes.high, size)};
    plot.marks.push_back({.line = at->second,
                          .x = size,
                          .value = p->ratio.ratio(),
                          .interval = interval_of(*p),
                          .facts = {{"sides", pair_name(set, *pair)},
                                    {"size", size_text(*p)},
                                    {"ratio", ratio_text(p->ratio.ratio())},
                                    {"interval", interval_fact(*p)},
                                    {"verdict", verdict_text(*p)}}});
  }
  if (!(sizes.high > sizes.low)) return std::nullopt;
  plot.x = report::size_axis(sizes);
  plot.y = report::ratio_axis(fmt::format("{} ratio", one.quantity->name), report::ratio_range(plot.marks, margin));
  plot.regions = regions(set, items, plot.y.domain);
  std::vector<double> edges{1};
  if (std::log1p(margin) > 0.02 * std::log(plot.y.domain.high / plot.y.domain.low)) {  // apart from the line at 1
    edges = {1 + margin, 1, 1 / (1 + margin)};
    figure.caption +=
        fmt::format(" Dashed: 1, and the {:g} % margin within which two sides are the same.", 100 * margin);
  }
  for (const double edge : edges)
    plot.guides.push_back({.points = {{plot.x.domain.low, edge}, {plot.x.domain.high, edge}}});
  figure.plots = {std::move(plot)};
  report::show_few(figure, report::place_of_size);
  return figure;
}

// Trainings: one bar per side

/// Bars of one training, one per side.
std::optional<Figure> bars(const Set& set, const Items& items) {
  Figure figure{.title = report::subject(items.front().point->key),
                .caption = fmt::format("Means over launches. Above each bar: its difference from {}.",
                                       set.sides[items.front().pair->a]),
                .tables = {behind(set, items, "All points")}};
  for (std::size_t side = 0; side < set.sides.size(); ++side) {
    const report::LineStyle style{.colour = side};
    figure.lines.push_back({.run = set.sides[side], .style = style});
    figure.legend.push_back({.filled = true, .label = set.sides[side], .style = style});
  }
  Plot plot{.kind = PlotKind::bars, .side_by_side = true};
  std::set<std::pair<std::string, std::size_t>> drawn;
  double most = 0;
  const auto add = [&](const Item& item, std::size_t side, const Measured& measured, const std::string& label) {
    const ComparedCase& p = *item.point;
    const std::string group = report::scale_text(p.key);
    if (!drawn.emplace(group, side).second) return;
    most = std::max(most, measured.value);
    plot.marks.push_back({.line = side,
                          .group = group,
                          .value = measured.value,
                          .label = label,
                          .facts = {{"side", set.sides[side]},
                                    {"group", group},
                                    {"value", value_text(p, measured.value)},
                                    {"ratio", label.empty() ? "-" : ratio_text(p.ratio.ratio())},
                                    {"interval", label.empty() ? "none" : interval_fact(p)},
                                    {"verdict", label.empty() ? "-" : verdict_text(p)}}});
  };
  for (const Item& item : items) {
    add(item, item.pair->a, item.point->a, "");
    add(item, item.pair->b, item.point->b, fmt::format("{:+.1f} %", 100 * (item.point->ratio.ratio() - 1)));
  }
  plot.y = report::linear_axis(items.front().point->unit, {0, 1.12 * most});
  figure.plots = {std::move(plot)};
  return figure;
}

}  // namespace

std::vector<Figure> figures_of(const Told& told, const Set& set) {
  const std::vector<Items> series = by_series(set);
  std::vector<const CaseKey*> keys;
  for (const Items& items : series) keys.push_back(&items.front().point->key);
  const auto names = report::series_names(keys);
  std::vector<Figure> all;
  for (std::size_t i = 0; i < series.size(); ++i) {
    auto figure = keys[i]->training ? bars(set, series[i]) : ratios(told, set, series[i], names[i]);
    if (figure) all.push_back(std::move(*figure));
  }
  return all;
}

}  // namespace busbar::compare
