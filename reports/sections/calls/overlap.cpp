// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "reports/sections/report_document.hpp"
#include "reports/text/text.hpp"

/// Shares of calls that work of the ranks hides.
namespace busbar::report {
namespace {

std::string percent_of(double share) { return fmt::format("{:.0f}", 100 * share); }

std::vector<std::string> overlap_cells(const std::string& run, const CaseRecord& c) {
  const Overlap& o = *c.overlap;
  CaseKey series = c.key;
  series.work.reset();
  return {run,
          series_name(series),
          format_size(c.key.bytes),
          fmt::format("{} %", *c.key.work),
          duration(o.alone_s),
          duration(o.work_s),
          duration(c.time_s),
          percent_of(o.hidden),
          o.hidden_interval
              ? fmt::format("{} to {}", percent_of(o.hidden_interval->low), percent_of(o.hidden_interval->high))
              : std::string(unknown),
          o.work_s > 0 ? fmt::format("{:.2f}", o.work_beside_s / o.work_s) : std::string(unknown)};
}

Table overlap_table() {
  return {.title = "Hidden share",
          .columns = make_columns({{ColumnKind::name, {"run", "series"}},
                                   {number,
                                    {"size", "work", "call alone", "work alone", "together", "hidden (%)",
                                     "95 %, this launch", "slowdown of the work"}}})};
}

/// A line per run, series and work, over size.
Figure overlap_figure(const std::vector<std::pair<std::string, const CaseRecord*>>& cases) {
  Figure f{.title = "Hidden share over size",
           .caption = "100 %: the shorter of call and work is hidden; 0 %: one runs after the other.",
           .plots = {Plot{}}};
  Plot& plot = f.plots.front();
  std::map<std::string, std::size_t> lines;
  Range sizes{1e18, 1}, seen{0, 1};
  for (const auto& [run, c] : cases) {
    if (c->key.bytes == 0) continue;
    const std::string label =
        run + ": " + subject(c->key) + fmt::format(", {}, {}, work {} %", *c->key.form, *c->key.progress, *c->key.work);
    const auto [line, added] = lines.try_emplace(label, lines.size());
    if (added) add_line(f, label);
    const auto bytes = static_cast<double>(c->key.bytes);
    const Overlap& o = *c->overlap;
    sizes = {std::min(sizes.low, bytes), std::max(sizes.high, bytes)};
    seen = {std::min(seen.low, o.hidden), std::max(seen.high, o.hidden)};
    Mark mark{.line = line->second,
              .x = bytes,
              .value = 100 * o.hidden,
              .facts = {{"size", format_size(c->key.bytes)},
                        {"hidden", percent_of(o.hidden) + " %"},
                        {"call alone", duration(o.alone_s)},
                        {"together", duration(c->time_s)}}};
    if (o.hidden_interval) mark.interval = Range{100 * o.hidden_interval->low, 100 * o.hidden_interval->high};
    plot.marks.push_back(std::move(mark));
  }
  plot.value_fact = "hidden";
  plot.x = size_axis(sizes);
  plot.y = linear_axis("hidden (%)", {100 * std::max(seen.low, -1.0) - 3, 100 * std::min(seen.high, 2.0) + 3});
  plot.guides = {{.points = {{plot.x.domain.low, 0}, {plot.x.domain.high, 0}}}};
  show_few(f, place_of_size);
  return f;
}

std::vector<Block> overlap_blocks(const Material& material) {
  Table table = overlap_table();
  std::vector<std::pair<std::string, const CaseRecord*>> cases;
  for (std::size_t i = 0; i < material.runs().size(); ++i)
    for (const CaseRecord& c : material.runs()[i].cases) {
      if (!c.overlap || !c.key.work || !c.key.form || !c.key.progress || !is_measured(c.status)) continue;
      cases.emplace_back(material.names()[i], &c);
      table.rows.push_back(overlap_cells(material.names()[i], c));
    }
  if (cases.empty()) return {};
  std::vector<Block> blocks{Paragraph{
      .text = "A rank starts a call, works, and then waits for the call. The hidden share is (call alone + work "
              "alone - together) / the shorter of the two. Work is given in per cent of the call alone. "
              "Between start and wait the call is advanced by the library alone, by tests between parts of "
              "the work (poll), or by a thread of its own."}};
  Figure figure = overlap_figure(cases);
  figure.tables.push_back(std::move(table));
  blocks.emplace_back(std::move(figure));
  return blocks;
}

}  // namespace

}  // namespace busbar::report

namespace busbar {

extern const report::Section overlap{.name = "overlap", .title = "Calls behind work", .blocks = report::overlap_blocks};

}  // namespace busbar
