// SPDX-License-Identifier: Apache-2.0
#include "reports/document/charts.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_map>

#include <fmt/core.h>

#include "core/base/words.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "core/tables/named_table.hpp"
#include "reports/text/text.hpp"

namespace busbar::report {
namespace {

using Parts = std::vector<std::string>;  // parallel to key_parts()
constexpr std::size_t in_place_part = 5;

/// A case on its way into a chart.
struct Item {
  std::size_t run = 0;
  const CaseRecord* record = nullptr;
  Parts parts;
  std::string colour;  ///< value that sets its colour; empty: coloured by run
};
using Items = std::vector<Item>;

/// Key parts that are common to all items, vary within a run, or vary only between runs.
struct Differences {
  std::vector<bool> common, within_run, between_runs;
};

Differences differences(const Items& items) {
  const std::size_t n = part_names().size();
  Differences d{std::vector<bool>(n, true), std::vector<bool>(n), std::vector<bool>(n)};
  std::map<std::size_t, const Item*> first_of_run;
  for (const Item& item : items) {
    const Parts& of_run = first_of_run.try_emplace(item.run, &item).first->second->parts;
    for (std::size_t part = 0; part < n; ++part) {
      if (item.parts[part] != items.front().parts[part]) d.common[part] = false;
      if (item.parts[part] != of_run[part]) d.within_run[part] = true;
    }
  }
  for (std::size_t part = 0; part < n; ++part) d.between_runs[part] = !d.common[part] && !d.within_run[part];
  return d;
}

/// Distinct texts, numbered in the order in which they come.
class Names {
 public:
  std::size_t index_of(const std::string& text) { return index_.try_emplace(text, index_.size()).first->second; }
  [[nodiscard]] std::size_t size() const { return index_.size(); }

 private:
  std::unordered_map<std::string, std::size_t> index_;
};

struct Counts {
  std::size_t runs = 0, series = 0, lines = 0;
};

Counts count_lines(const Items& items) {
  const auto within = differences(items).within_run;
  std::set<std::size_t> runs;
  std::set<std::string> series;
  std::set<std::pair<std::size_t, std::string>> lines;
  for (const Item& item : items) {
    const std::string text = join_chosen(item.parts, within);
    runs.insert(item.run);
    series.insert(text);
    lines.insert({item.run, text});
  }
  return {.runs = runs.size(), .series = series.size(), .lines = lines.size()};
}

/// Splits the items of one collective into charts. They share one chart if colours suffice for runs and dashes for
/// series; otherwise each key (ignoring in place) gets a chart. A split into charts of one or two lines compares
/// nothing and is not made.
std::vector<Items> split(Items items) {
  const Counts n = count_lines(items);
  const bool few = n.runs <= colours && n.series <= (n.runs == 1 ? colours : dashes);
  std::vector<bool> by(part_names().size(), true);
  by[in_place_part] = false;
  Names names;
  std::vector<std::size_t> panel_of;
  for (const Item& item : items) panel_of.push_back(few ? 0 : names.index_of(join_chosen(item.parts, by)));
  if (few || n.lines < 3 * names.size()) std::ranges::fill(panel_of, 0);
  std::vector<Items> panels(std::ranges::max(panel_of) + 1);
  for (std::size_t i = 0; i < items.size(); ++i) panels[panel_of[i]].push_back(std::move(items[i]));
  return panels;
}

/// Builds the lines and the legend of a chart group, item by item.
class LineBook {
 public:
  LineBook(Charts& charts, const Items& items, const std::vector<std::string>& run_names)
      : charts_(charts), run_names_(run_names), differ_(differences(items)) {
    std::set<std::size_t> runs;
    for (const Item& item : items) runs.insert(item.run);
    many_runs_ = runs.size() > 1;
    global_colours_ = run_names.size() <= colours;
  }

  std::size_t line_of(const Item& item) {
    const std::string between = join_chosen(item.parts, differ_.between_runs);
    const std::string run = run_names_[item.run] + (between.empty() ? "" : ", " + between);
    const std::string series = join_chosen(item.parts, differ_.within_run);
    const std::size_t line = lines_.index_of(run + '\n' + series);
    if (line == charts_.lines.size())
      charts_.lines.push_back({.run = run, .series = series, .style = style(item, run, series)});
    return line;
  }

 private:
  LineStyle style(const Item& item, const std::string& run, const std::string& series) {
    const std::size_t runs_before = runs_.size();
    const std::size_t nth_run = runs_.index_of(run);
    const std::size_t series_before = series_.size();
    const std::size_t nth_series = series_.index_of(series);
    const std::size_t own = global_colours_ ? item.run : nth_run;
    const std::size_t colour = item.colour.empty() ? own : colours_.index_of(item.colour);
    const LineStyle by_run{.colour = colour, .shape = own, .dash = 0};
    const LineStyle by_series =
        many_runs_ ? LineStyle{.dash = nth_series} : LineStyle{.colour = nth_series, .shape = nth_series, .dash = 0};
    if (runs_.size() > runs_before && (many_runs_ || series.empty()))
      charts_.legend.insert(charts_.legend.begin() + static_cast<std::ptrdiff_t>(run_entries_++),
                            {.is_run = true, .coloured = true, .label = run, .style = by_run});
    if (series_.size() > series_before && !series.empty())
      charts_.legend.push_back({.is_run = false, .coloured = !many_runs_, .label = series, .style = by_series});
    if (many_runs_) return {by_run.colour, by_run.shape, nth_series};
    return series.empty() ? by_run : by_series;
  }

  Charts& charts_;
  const std::vector<std::string>& run_names_;
  Differences differ_;
  bool many_runs_ = false;
  bool global_colours_ = false;
  std::size_t run_entries_ = 0;  // in the legend, runs precede series
  Names lines_, runs_, series_, colours_;
};

void widen(Range& range, double value) {
  range.low = range.high > 0 ? std::min(range.low, value) : value;
  range.high = std::max(range.high, value);
}

/// The times, by which lines are chosen: bandwidths of equal sizes have the opposite order.
LineValues times_of(const Charts& charts) {
  LineValues by{.lowest = "fastest", .highest = "slowest", .text = place_of_size};
  for (const ChartPoint& point : charts.points)
    if (const auto time_s = value_of(point, Quantity::time))
      by.values.push_back({.line = point.line, .x = static_cast<double>(point.bytes), .value = *time_s});
  return by;
}

Charts make_group(const Items& items, const std::vector<std::string>& run_names, const ChartOptions& options) {
  Charts charts;
  charts.caption = join_chosen(items.front().parts, differences(items).common);
  LineBook book(charts, items, run_names);
  for (const Item& item : items) {
    const CaseRecord& c = *item.record;
    charts.points.push_back({.line = book.line_of(item),
                             .bytes = c.key.bytes,
                             .time_s = c.time_s,
                             .p99_s = c.statistics ? std::optional(c.statistics->p99_s) : std::nullopt,
                             .algbw_GBps = c.algbw_GBps,
                             .busbw_GBps = c.busbw_GBps,
                             .interval_s = c.interval_s,
                             .bus_factor = c.bus_factor.value_or(0)});
    charts.points.back().record = &c;
    if (options.finish) options.finish(c, charts.points.back());
  }
  charts.choice = show_few(charts.legend, charts.lines, times_of(charts));
  return charts;
}

/// Run names by index, only as long as needed to distinguish the runs in this group; empty for other runs.
std::vector<std::string> names_in(const Items& items, const std::vector<Run>& runs) {
  std::set<std::size_t> seen;
  for (const Item& item : items) seen.insert(item.run);
  std::vector<const Run*> present;
  for (const std::size_t run : seen) present.push_back(&runs[run]);
  std::vector<std::string> names(runs.size());
  std::size_t nth = 0;
  const auto short_names = run_names(present);
  for (const std::size_t run : seen) names[run] = short_names[nth++];
  return names;
}

/// Gives all panels of a collective the same axes.
void align(std::vector<Charts>& panels) {
  Charts all;
  for (const Charts& charts : panels) {
    for (const ChartPoint& point : charts.points) {
      widen(all.bytes, static_cast<double>(point.bytes));
      if (point.ceiling_GBps && *point.ceiling_GBps > 0)
        widen(all.values[static_cast<std::size_t>(Quantity::busbw)], *point.ceiling_GBps);
      for (const Quantity q : quantities) {
        Range& range = all.values[static_cast<std::size_t>(q)];
        if (const auto value = value_of(point, q)) widen(range, *value);
        if (const auto band = band_of(point, q)) {
          widen(range, band->low);
          widen(range, band->high);
        }
      }
    }
  }
  for (Charts& charts : panels) {
    charts.bytes = all.bytes;
    charts.values = all.values;
  }
}

/// Adds to each panel's title the key parts in which the panels differ.
void name_panels(std::vector<Charts>& charts, const std::vector<Items>& panels) {
  Items firsts;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    firsts.push_back(panels[i].front());
    firsts.back().run = i;
  }
  auto which = differences(firsts).between_runs;
  which[in_place_part] = false;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const std::string what = join_chosen(firsts[i].parts, which);
    if (what.empty()) continue;
    charts[i].title += ": " + what;
    auto rest = differences(panels[i]).common;
    for (std::size_t part = 0; part < rest.size(); ++part) rest[part] = rest[part] && !which[part];
    charts[i].caption = join_chosen(firsts[i].parts, rest);
  }
}

}  // namespace

std::string_view title(Quantity q) {
  constexpr std::array<std::string_view, quantities.size()> titles{"busbw (GB/s)", "algbw (GB/s)", "time"};
  return titles[static_cast<std::size_t>(q)];
}

std::optional<double> value_of(const ChartPoint& point, Quantity q) {
  constexpr std::array<std::optional<double> ChartPoint::*, quantities.size()> members{
      &ChartPoint::busbw_GBps, &ChartPoint::algbw_GBps, &ChartPoint::time_s};
  const auto& value = point.*members[static_cast<std::size_t>(q)];
  return value && *value > 0 ? value : std::nullopt;
}

std::optional<Range> band_of(const ChartPoint& point, Quantity q) {
  if (!point.interval_s || !value_of(point, q)) return std::nullopt;
  const auto& [low_s, high_s, confidence] = *point.interval_s;
  if (!(low_s > 0) || !(high_s >= low_s)) return std::nullopt;
  if (q == Quantity::time) return Range{low_s, high_s};
  const double scale = static_cast<double>(point.bytes) * 1e-9 * (q == Quantity::busbw ? point.bus_factor : 1);
  if (!(scale > 0)) return std::nullopt;
  return Range{scale / high_s, scale / low_s};
}

bool has_bands(const Charts& charts, Quantity q) {
  return std::ranges::any_of(charts.points, [q](const ChartPoint& p) { return band_of(p, q).has_value(); });
}

bool has_points(const Charts& charts, Quantity q) {
  return std::ranges::any_of(charts.points, [q](const ChartPoint& p) { return value_of(p, q).has_value(); });
}

bool has_ceilings(const Charts& charts) {
  return std::ranges::any_of(charts.points, [](const ChartPoint& p) { return p.ceiling_GBps.has_value(); });
}

std::string ceiling_text(const ChartPoint& p) {
  return fmt::format("{} GB/s: {}", bandwidth(p.ceiling_GBps), p.ceiling);
}

std::vector<Charts> make_charts(const std::vector<Run>& runs, const ChartOptions& options) {
  std::vector<std::string> subjects;
  Names known;
  std::vector<Items> of_subject;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    for (const CaseRecord& c : runs[run].cases) {
      if (c.key.training || is_named(c.key) || !is_measured(c.status) || c.key.bytes == 0 || !c.time_s) continue;
      std::string facet = options.facet ? options.facet(runs[run], c) : "";
      if (is_simulated(runs[run].head)) facet += (facet.empty() ? "" : ", ") + std::string("simulated");
      const std::string text = subject(c.key) + (facet.empty() ? "" : ", " + facet);
      const std::size_t i = known.index_of(text);
      if (i == subjects.size()) subjects.push_back(text);
      of_subject.resize(subjects.size());
      of_subject[i].push_back({.run = run,
                               .record = &c,
                               .parts = key_parts(c.key),
                               .colour = options.colour ? options.colour(runs[run], c) : ""});
    }
  }
  std::vector<Charts> all;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    const std::vector<Items> panels = split(std::move(of_subject[i]));
    std::vector<Charts> charts;
    for (const Items& panel : panels) {
      charts.push_back(make_group(panel, names_in(panel, runs), options));
      charts.back().title = subjects[i];
    }
    name_panels(charts, panels);
    align(charts);
    std::ranges::move(charts, std::back_inserter(all));
  }
  return all;
}

}  // namespace busbar::report
