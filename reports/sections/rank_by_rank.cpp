// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "core/statistics/summary.hpp"
#include "core/tables/named_table.hpp"
#include "reports/explain/words.hpp"
#include "reports/sections/report_document.hpp"
#include "reports/text/text.hpp"

/// Times of each rank compared with the others, to find slow ranks.
namespace busbar::report {
namespace {

constexpr std::size_t most_runs = 6, most_plots = 6, few_ranks = 2;

/// Cases of one collective that differ only in size, ascending.
using Series = std::vector<const CaseRecord*>;

/// One series per collective; in place only if out of place was not measured.
std::vector<Series> series_of(const Run& run) {
  std::vector<Series> all;
  std::map<std::string, std::size_t> known;
  for (const bool in_place : {false, true}) {
    for (const CaseRecord& c : run.cases) {
      if (c.key.training || is_named(c.key) || !is_measured(c.status) || c.ranks.size() < 2) continue;
      if (c.key.in_place.value_or(false) != in_place) continue;
      CaseKey key = c.key;
      key.in_place.reset();
      const auto [at, is_new] = known.try_emplace(series_name(key), all.size());
      if (is_new) all.emplace_back();
      Series& series = all[at->second];
      if (is_new || series.front()->key.in_place == c.key.in_place) series.push_back(&c);
    }
  }
  for (Series& s : all) std::ranges::sort(s, {}, [](const CaseRecord* c) { return c->key.bytes; });
  return all;
}

double median_rank(const CaseRecord& c) {
  std::vector<double> medians;
  for (const RankSummary& r : c.ranks) medians.push_back(r.median_s);
  return median(medians);
}

/// The smallest, middle and largest size, if there are that many.
Series drawn_of(const Series& s) {
  Series some{s.front()};
  if (s.size() > 2) some.push_back(s[s.size() / 2]);
  if (s.size() > 1) some.push_back(s.back());
  return some;
}

/// Index of a size's line, which is the same in all plots of the figure.
std::size_t line_of(Figure& figure, const std::string& size) {
  for (std::size_t i = 0; i < figure.lines.size(); ++i)
    if (figure.lines[i].run == size) return i;
  return add_line(figure, size);
}

/// Axis of ranks from 0 to `last`, with integer ticks.
PlotAxis rank_axis(double last) {
  PlotAxis axis{.title = "rank", .domain = {-0.03 * last, 1.03 * last}};
  const double step = std::max(1.0, std::ceil(last / 8));
  for (double rank = 0; rank <= last; rank += step) axis.ticks.add(rank, plain_number(rank));
  return axis;
}

Plot rank_by_rank_plot(const Run& run, const Series& series, Figure& figure) {
  Plot plot{.title = subject(series.front()->key)};
  Range seen{1, 1};
  double last = 1;
  for (const CaseRecord* c : drawn_of(series)) {
    const double middle = median_rank(*c);
    if (!(middle > 0)) continue;
    const std::size_t line = line_of(figure, format_size(c->key.bytes));
    for (const RankSummary& r : c->ranks) {
      const double ratio = r.median_s / middle;
      seen = {std::min(seen.low, ratio), std::max(seen.high, ratio)};
      last = std::max(last, static_cast<double>(r.rank));
      plot.marks.push_back({.line = line,
                            .x = static_cast<double>(r.rank),
                            .value = ratio,
                            .facts = {{"rank", std::to_string(r.rank)},
                                      {"host", explain::host_of(run, r.rank)},
                                      {"size", format_size(c->key.bytes)},
                                      {"its time", duration(r.median_s)},
                                      {"least", duration(r.min_s)},
                                      {"most", duration(r.max_s)},
                                      {"vs the median rank", fmt::format("{:.2f}", ratio)}}});
    }
  }
  const double margin = std::max(0.05, 0.08 * (seen.high - seen.low));
  plot.x = rank_axis(last);
  plot.y = linear_axis("time relative to the median rank", {std::max(0.0, seen.low - margin), seen.high + margin});
  plot.guides = {{.points = {{plot.x.domain.low, 1}, {plot.x.domain.high, 1}}}};
  return plot;
}

/// One row per rank, one column per drawn size.
Table rank_by_rank_table(const Run& run, const std::vector<Series>& drawn) {
  Table t{.title = "Median time of each rank", .columns = {{"rank", number}, {"host", ColumnKind::name}}};
  std::map<int, std::vector<std::string>> by_rank;
  for (const Series& series : drawn) {
    for (const CaseRecord* c : drawn_of(series)) {
      t.columns.push_back({subject(c->key) + " " + format_size(c->key.bytes), number});
      for (const RankSummary& r : c->ranks) {
        auto& row = by_rank[r.rank];
        if (row.empty()) row = {std::to_string(r.rank), explain::host_of(run, r.rank)};
        row.resize(t.columns.size() - 1, "-");
        row.push_back(duration(r.median_s));
      }
    }
  }
  for (auto& [rank, row] : by_rank) {
    row.resize(t.columns.size(), "-");
    t.rows.push_back(std::move(row));
  }
  return t;
}

std::vector<Block> rank_by_rank_blocks(const Material& material) {
  std::vector<Block> all;
  std::size_t shown = 0, left_out = 0;
  for (std::size_t i = 0; i < material.runs().size(); ++i) {
    const Run& run = material.runs()[i];
    std::vector<Series> series = series_of(run);
    if (series.empty()) continue;
    if (shown == most_runs) {
      ++left_out;
      continue;
    }
    ++shown;
    Figure figure{.title = material.names()[i],
                  .caption =
                      "Medians over rounds of each rank's own times; dashed: the median rank. In collectives with a "
                      "root, ranks do different work by design."};
    if (series.size() > most_plots) {
      figure.caption += fmt::format(" The first {} of {} are drawn.", most_plots, series.size());
      series.resize(most_plots);
    }
    Table table = rank_by_rank_table(run, series);
    if (table.rows.size() <= few_ranks) {  // a curve through two points shows no more than they do
      if (all.empty())
        all.emplace_back(Paragraph{.text = "Medians over rounds of each rank's own times. In collectives with a root, "
                                           "ranks do different work by design."});
      table.title = material.names()[i] + ": median time of each rank";
      all.emplace_back(std::move(table));
      continue;
    }
    for (const Series& s : series) figure.plots.push_back(rank_by_rank_plot(run, s, figure));
    figure.tables = {std::move(table)};
    all.emplace_back(std::move(figure));
  }
  if (left_out > 0)
    all.emplace_back(
        Paragraph{.text = fmt::format("{} with times by rank not drawn here: make a report of these runs alone.",
                                      plural(left_out, "more run"))});
  return all;
}

}  // namespace

}  // namespace busbar::report

namespace busbar {

extern const report::Section rank_by_rank{
    .name = "rank_by_rank", .title = "Rank by rank", .blocks = report::rank_by_rank_blocks, .folded = true};

}  // namespace busbar
