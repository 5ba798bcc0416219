// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/next_blocks.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "core/base/units.hpp"

namespace busbar::predict {
namespace {

using report::ColumnKind, report::Paragraph, report::Table;

std::string width_text(double width) { return width > 0 ? fmt::format("{:.3g}", width) : "-"; }

/// "34 %" of the logarithm of upper over lower limit.
std::string narrower_text(const NextRuns& next, const NextRun& run) {
  if (!(run.width > 0) || !(next.width > 1)) return "-";
  const double share = 1 - std::log(run.width) / std::log(next.width);
  return share < 0.005 ? "no" : fmt::format("{:.0f} %", 100 * share);
}

std::string cost_text(const NextRun& run) {
  return run.node_launches > 0 ? fmt::format("{:.0f}", run.node_launches) : "none";
}

Table next_table(const NextRuns& next) {
  constexpr auto number = ColumnKind::number;
  Table t{.title = fmt::format("What to run next to narrow {}: {}", plural(next.at.nodes, "node"), next.series),
          .columns = {{"run", ColumnKind::text},
                      {"narrower by", number},
                      {"upper / lower", number},
                      {"node-launches", number},
                      {"tells", ColumnKind::text}},
          .rows = {{"(nothing)", "", width_text(next.width), "", ""}}};
  for (const NextRun& run : next.runs)
    t.rows.push_back({run.what, narrower_text(next, run), width_text(run.width), cost_text(run), run.tells});
  report::drop_last_column_if_empty(t);
  return t;
}

/// Of the runs that narrow noticeably, the cheapest.
const NextRun* cheapest_help(const NextRuns& next) {
  constexpr double noticeable = 0.1;
  const NextRun* found = nullptr;
  for (const NextRun& run : next.runs) {
    const bool helps =
        run.width > 0 && next.width > 1 && std::log(run.width) <= (1 - noticeable) * std::log(next.width);
    if (helps && (found == nullptr || run.node_launches < found->node_launches)) found = &run;
  }
  return found;
}

constexpr auto how_to_read =
    "Computed, not measured: each run is taken to come out as predicted, once for each scenario at its scale; then the "
    "curves are fitted and the largest scale is predicted again. upper / lower: limits of the interval, median over "
    "sizes. narrower by: of the logarithm of that. node-launches: nodes of all launches.";

}  // namespace

std::vector<report::Block> next_blocks(const Prediction& p) {
  std::vector<report::Block> all;
  for (const NextRuns& next : p.next) {
    all.emplace_back(next_table(next));
    if (const NextRun* run = cheapest_help(next))
      all.emplace_back(Paragraph{.text = fmt::format("Cheapest that narrows by a tenth: {}.", run->what)});
  }
  if (!all.empty()) all.emplace_back(Paragraph{.text = how_to_read});
  return all;
}

}  // namespace busbar::predict
