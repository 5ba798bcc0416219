// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "reports/drawing/render.hpp"
#include "reports/text/text.hpp"

namespace busbar::report {
namespace {

std::string figure_cell(const ChartPoint& point, Quantity q) {
  return q == Quantity::time ? duration(point.time_s)
                             : bandwidth(q == Quantity::busbw ? point.busbw_GBps : point.algbw_GBps);
}

Table figures_of(const Charts& charts, Quantity q) {
  Table table{.title = fmt::format("{}: {}", charts.title, title(q)), .columns = {{"size", number}}};
  for (const Line& line : charts.lines)
    table.columns.push_back({line.run + (line.series.empty() ? "" : ", " + line.series), number});
  std::map<std::uint64_t, std::vector<std::string>> by_size;
  for (const ChartPoint& point : charts.points) {
    auto& row = by_size[point.bytes];
    row.resize(charts.lines.size());
    auto& text = row[point.line];
    text += (text.empty() ? "" : ", ") + figure_cell(point, q);  // imported tables may repeat a size
  }
  for (auto& [bytes, row] : by_size) {
    row.insert(row.begin(), format_size(bytes));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

std::vector<Table> figures(const Charts& charts) {
  std::vector<Table> tables;
  const bool bus = std::ranges::any_of(charts.points, [](const ChartPoint& p) { return p.busbw_GBps.has_value(); });
  const Quantity width = bus ? Quantity::busbw : Quantity::algbw;
  for (const Quantity q : {width, Quantity::time}) {
    if (has_points(charts, q)) tables.push_back(figures_of(charts, q));
  }
  return tables;
}

}  // namespace busbar::report
