// SPDX-License-Identifier: Apache-2.0
#include "reports/runs/fastest.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/base/words.hpp"
#include "core/record/run.hpp"
#include "reports/document/document.hpp"
#include "reports/sections/report_document.hpp"
#include "reports/text/text.hpp"
#include "reports/text/training_text.hpp"

/// The fastest value of a label per case, the effect of each label, and the times with the fastest value.
namespace busbar::report {
namespace {

constexpr auto name_column = ColumnKind::name;
constexpr double least_ratio_of_shades = 2;  ///< minimum span of the colour scale: closer times look alike

/// All contests that differ only in size, ranks and labels, e.g. allreduce of fp32.
struct Discipline {
  std::string title;
  bool simulated = false;
  std::vector<const Contest*> contests;
};

std::string fastest_title(const CaseKey& key) {
  if (!key.training || !key.training->overlap) return subject(key);
  return fmt::format("{}, {}", subject(key), overlap_text(*key.training));
}

std::string with_origin(const std::string& title, bool simulated) { return simulated ? title + " (simulated)" : title; }

std::vector<Discipline> disciplines_of(const Study& study) {
  std::vector<Discipline> all;
  std::map<std::pair<CaseKey, bool>, std::size_t> known;
  for (const Contest& c : study.contests) {
    const auto [at, is_new] = known.try_emplace({without_scale(c.key), c.simulated}, all.size());
    if (is_new) all.push_back({.title = fastest_title(c.key), .simulated = c.simulated});
    all[at->second].contests.push_back(&c);
  }
  return all;
}

/// Contests of the same case with different other labels, ordered by ranks, then size.
using ByCase = std::map<std::pair<int, std::uint64_t>, std::vector<const Contest*>>;

ByCase by_case(const Discipline& d) {
  ByCase all;
  for (const Contest* c : d.contests) all[{c->key.ranks, c->key.bytes}].push_back(c);
  return all;
}

/// Title of a row; marks simulated ones unless the table's title does.
std::string row_title(const Discipline& d, bool all_simulated) {
  return with_origin(d.title, d.simulated && !all_simulated);
}

bool contested(const Contest* c) { return c->contenders.size() > 1; }

std::string case_text(const CaseKey& key) {
  const std::string ranks = plural(key.ranks, "rank");
  return key.bytes > 0 && !key.training ? fmt::format("{}, {}", ranks, format_size(key.bytes)) : ranks;
}

/// "ring", or "ring 8, tree 4" if the other labels decide.
std::string winners_text(const std::vector<const Contest*>& contests) {
  std::map<std::string, int> wins;
  for (const Contest* c : contests)
    if (contested(c)) ++wins[c->contenders.front().value];
  std::vector<std::pair<std::string, int>> order(wins.begin(), wins.end());
  std::ranges::stable_sort(order, std::greater{}, &std::pair<std::string, int>::second);
  if (order.size() == 1) return order.front().first;
  std::string text;
  for (const auto& [value, count] : order) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", value, count);
  return text;
}

/// Winners of all disciplines: one row per size, one column per number of ranks.
Table winners_table(const Study& study, const std::vector<Discipline>& disciplines) {
  std::set<int> ranks;
  for (const Contest& c : study.contests)
    if (contested(&c)) ranks.insert(c.key.ranks);
  const bool all_simulated = std::ranges::all_of(disciplines, &Discipline::simulated);
  Table t{.title = with_origin(fmt::format("Fastest {}", study.label), all_simulated),
          .columns = {{"what", name_column}, {"size", number}}};
  for (const int n : ranks) t.columns.push_back({plural(n, "rank"), name_column});
  for (const Discipline& d : disciplines) {
    std::map<std::uint64_t, std::map<int, std::string>> cells;
    for (const auto& [at, contests] : by_case(d))
      if (std::ranges::any_of(contests, contested)) cells[at.second][at.first] = winners_text(contests);
    for (auto& [bytes, row] : cells) {
      t.rows.push_back({row_title(d, all_simulated), bytes > 0 ? format_size(bytes) : "-"});
      for (const int n : ranks) t.rows.back().push_back(row.contains(n) ? row[n] : "-");
    }
  }
  return t;
}

std::string ratio_text(const Effect& e) {
  const auto text = [](double ratio) { return fmt::format("{:.{}f}", ratio, ratio < 10 ? 2 : ratio < 100 ? 1 : 0); };
  const std::string median = text(e.median), least = text(e.least), greatest = text(e.greatest);
  return least == greatest ? median : fmt::format("{} ({} to {})", median, least, greatest);
}

/// One row per case, one column per label.
Table effects_table(const Study& study, const std::vector<Discipline>& disciplines) {
  std::vector<std::string> labels = study.others;
  labels.insert(labels.begin(), study.label);
  const bool all_simulated = std::ranges::all_of(disciplines, &Discipline::simulated);
  Table t{.title = with_origin("Effect of each label: slowest over fastest value, median (least to greatest)",
                               all_simulated),
          .columns = {{"what", name_column}, {"case", name_column}}};
  for (const std::string& label : labels) t.columns.push_back({label, number});
  for (const Discipline& d : disciplines) {
    for (const auto& [at, contests] : by_case(d)) {
      std::vector<std::string> row{row_title(d, all_simulated), case_text(contests.front()->key)};
      for (const std::string& label : labels) {
        const auto effect = effect_of(study, contests, label);
        row.push_back(effect ? ratio_text(*effect) : "-");
      }
      if (std::ranges::any_of(row.begin() + 2, row.end(), [](const std::string& cell) { return cell != "-"; }))
        t.rows.push_back(std::move(row));
    }
  }
  return t;
}

/// The values of the other labels except the first, which is the column: "hdr".
std::string plot_title(const Contest& c) {
  std::string text;
  for (std::size_t i = 1; i < c.others.size(); ++i) text += fmt::format("{}{}", i > 1 ? ", " : "", c.others[i]);
  return text;
}

std::string column_of(const Contest& c) { return c.others.empty() ? "all" : c.others.front(); }

/// Shortest and longest time with the fastest value, by case.
using Ranges = std::map<std::pair<int, std::uint64_t>, Range>;

Ranges ranges_of(const Discipline& d) {
  Ranges all;
  for (const auto& [at, contests] : by_case(d)) {
    const auto time = [](const Contest* c) { return c->contenders.front().time_s; };
    const auto [least, greatest] = std::ranges::minmax(contests, {}, time);
    all[at] = {time(least), std::max(time(greatest), least_ratio_of_shades * time(least))};
  }
  return all;
}

Mark fastest_mark(const Contest& c, const Range& times) {
  const Contender& first = c.contenders.front();
  const std::string second =
      contested(&c) ? fmt::format("{} ({})", duration(c.contenders[1].time_s), c.contenders[1].value) : "-";
  return {.group = column_of(c),
          .row = case_text(c.key),
          .value = first.time_s,
          .shade = shade_of(std::log(times.high / first.time_s), {0, std::log(times.high / times.low)}),
          .label = duration(first.time_s),
          .facts = {{"case", case_text(c.key)},
                    {"where", list(c.others)},
                    {"fastest", fmt::format("{} ({})", duration(first.time_s), first.value)},
                    {"second", second},
                    {"ratio to the fastest of the row", fmt::format("{:.2f}", first.time_s / times.low)}}};
}

Table fastest_table(const Plot& plot, const std::vector<const Contest*>& contests) {
  Table t{.title = plot.title, .columns = {{"case", name_column}}};
  for (const std::string& column : plot.x.names) t.columns.push_back({column, name_column});
  std::map<std::pair<std::string, std::string>, std::string> cells;
  for (const Contest* c : contests)
    cells[{case_text(c->key), column_of(*c)}] =
        fmt::format("{} ({})", duration(c->contenders.front().time_s), c->contenders.front().value);
  for (const std::string& row : plot.y.names) {
    t.rows.push_back({row});
    for (const std::string& column : plot.x.names) t.rows.back().push_back(cells[{row, column}]);
  }
  return t;
}

/// One matrix of times per combination of the labels other than the contested one and the column's.
Figure times_of(const Study& study, const Discipline& d) {
  Figure figure{.title = fmt::format("{}: time with the fastest {}", with_origin(d.title, d.simulated), study.label),
                .caption = "Stronger colours are closer to the fastest of the row, in all of these matrices."};
  std::map<std::string, std::vector<const Contest*>> plots;
  std::vector<std::string> order;
  for (const Contest* c : d.contests) {
    plots[plot_title(*c)].push_back(c);
    add_new(order, plot_title(*c));
  }
  const Ranges ranges = ranges_of(d);
  for (const std::string& title : order) {
    auto& contests = plots[title];
    std::ranges::stable_sort(contests, {}, [](const Contest* c) { return std::pair(c->key.ranks, c->key.bytes); });
    Plot plot{.kind = PlotKind::cells, .title = title};
    plot.x.title = study.others.empty() ? "" : study.others.front();
    for (const Contest* c : contests) {
      plot.marks.push_back(fastest_mark(*c, ranges.at({c->key.ranks, c->key.bytes})));
      add_new(plot.x.names, column_of(*c));
      add_new(plot.y.names, case_text(c->key));
    }
    figure.tables.push_back(fastest_table(plot, contests));
    figure.plots.push_back(std::move(plot));
  }
  return figure;
}

std::vector<Block> fastest_blocks(const Material& material) {
  const Study* study = material.study();
  if (study == nullptr) return {};
  const auto disciplines = disciplines_of(*study);
  std::vector<Block> all;
  all.emplace_back(winners_table(*study, disciplines));
  all.emplace_back(effects_table(*study, disciplines));
  for (const Discipline& d : disciplines)
    if (std::ranges::any_of(d.contests, contested)) all.emplace_back(times_of(*study, d));
  return all;
}

}  // namespace
}  // namespace busbar::report

namespace busbar {

extern const report::Section fastest{
    .name = "fastest", .title = "Fastest configurations", .blocks = report::fastest_blocks};

}  // namespace busbar
