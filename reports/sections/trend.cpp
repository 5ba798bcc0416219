// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "reports/compare/comparison.hpp"
#include "reports/compare/text.hpp"
#include "reports/history/histories.hpp"
#include "reports/sections/report_document.hpp"
#include "reports/text/text.hpp"

/// Launches of the same configuration over days: what became slower or faster, and when.
namespace busbar::report {
namespace {

constexpr std::size_t most_trend_lines = 8;

using Launches = std::vector<const Run*>;

const CaseRecord* case_of(const Run& run, const CaseKey& key) {
  const auto it =
      std::ranges::find_if(run.cases, [&](const CaseRecord& c) { return is_measured(c.status) && c.key == key; });
  return it == run.cases.end() ? nullptr : &*it;
}

/// The cases that changed; if none did, the largest of each series.
std::vector<CaseKey> telling_cases(const Launches& launches, const std::vector<history::Change>& changes) {
  std::vector<CaseKey> keys;
  const auto add = [&](const CaseKey& key) {
    if (keys.size() < most_trend_lines && std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
  };
  for (const history::Change& change : changes) {
    for (const history::Change::Case& c : change.cases)
      if (c.moved) add(c.key);
  }
  if (!keys.empty()) return keys;
  std::map<std::string, CaseKey> largest;
  for (const CaseRecord& c : launches.front()->cases) {
    if (!is_measured(c.status)) continue;
    CaseKey& key = largest.try_emplace(series_name(c.key), c.key).first->second;
    if (c.key.bytes > key.bytes) key = c.key;
  }
  for (const auto& [series, key] : largest) add(key);
  return keys;
}

/// Time relative to the first launch that has the case.
Plot trend_plot(const Launches& launches, const std::vector<CaseKey>& keys) {
  Plot plot;
  const double start = *history::start_hours(*launches.front());
  Range seen{1, 1};
  for (std::size_t line = 0; line < keys.size(); ++line) {
    std::optional<double> first;
    for (const Run* run : launches) {
      const CaseRecord* c = case_of(*run, keys[line]);
      if (c == nullptr || !c->time_s || !(*c->time_s > 0)) continue;
      if (!first) first = *c->time_s;
      const double value = *c->time_s / *first;
      seen = {std::min(seen.low, value), std::max(seen.high, value)};
      plot.marks.push_back({.line = line,
                            .x = (*history::start_hours(*run) - start) / 24,
                            .value = value,
                            .facts = {{"launch", *run->head.start_utc},
                                      {"time", duration(c->time_s)},
                                      {"vs the first", compare::ratio_text(value)}}});
    }
  }
  const double days = (*history::start_hours(*launches.back()) - start) / 24;
  plot.x = linear_axis("days since " + *launches.front()->head.start_utc, {-0.02 * days, 1.02 * days});
  plot.y = linear_axis("time relative to the first launch", {seen.low - 0.03, seen.high + 0.03});
  plot.guides = {{.points = {{plot.x.domain.low, 1}, {plot.x.domain.high, 1}}}};
  return plot;
}

Table trend_figures_table(const Launches& launches, const std::vector<CaseKey>& keys) {
  Table t{.title = "Times", .columns = {{"launch", ColumnKind::name}}};
  for (const CaseKey& key : keys)
    t.columns.push_back({subject(key) + " " + (key.bytes > 0 ? format_size(key.bytes) : ""), number});
  for (const Run* run : launches) {
    t.rows.push_back({*run->head.start_utc});
    for (const CaseKey& key : keys) {
      const CaseRecord* c = case_of(*run, key);
      t.rows.back().push_back(c == nullptr ? "-" : duration(c->time_s));
    }
  }
  return t;
}

Figure trend_figure(const history::History& history, const std::vector<CaseKey>& keys) {
  const auto& [labels, launches, changes] = history;
  Figure f{.title = fmt::format("{}{} launches", labels.empty() ? "" : labels + ": ", launches.size()),
           .caption = "Each case relative to its first launch; dashed: no change.",
           .plots = {trend_plot(launches, keys)},
           .tables = {trend_figures_table(launches, keys)}};
  for (const CaseKey& key : keys)
    add_line(f, subject(key) + (key.bytes > 0 ? " at " + format_size(key.bytes) : "") + ", " + scale_text(key));
  return f;
}

std::vector<Block> trend_blocks(const Material& material) {
  std::vector<Block> all;
  for (const history::History& history : material.histories()) {
    all.emplace_back(trend_figure(history, telling_cases(history.launches, history.changes)));
    if (history.changes.empty())
      all.emplace_back(
          Paragraph{.text = "No lasting change found: finding one needs at least 3 launches before and after it."});
    for (const history::Change& change : history.changes) {
      all.emplace_back(Paragraph{.text = history::sentence(change)});
      all.emplace_back(history::table_of(change));
    }
  }
  return all;
}

}  // namespace

}  // namespace busbar::report

namespace busbar {

extern const report::Section trend{.name = "trend", .title = "Over time", .blocks = report::trend_blocks};

}  // namespace busbar
