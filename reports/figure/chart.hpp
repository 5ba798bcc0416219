// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "reports/document/document.hpp"

/// Single charts of a report, as figures for papers: `busbar figure`.
namespace busbar::figure {

/// One chart of a report: a plot with the lines that it draws.
struct Chart {
  std::string name;     ///< "allreduce-busbw"; unique among the charts of a report
  std::string title;    ///< of the block in the report: "allreduce"
  std::string caption;  ///< sentences of the report about this chart; may be empty
  bool timed = false;   ///< the points are times of cases, or bandwidths from them
  std::vector<report::Line> lines;
  std::vector<report::LegendEntry> legend;  ///< of the lines with marks in the plot; may be empty
  report::Plot plot;
};

enum class LinesToDraw {
  chosen,  ///< those that the report shows at first
  all,
};

/// The charts of a report in its order; each quantity of a chart over size is one.
[[nodiscard]] std::vector<Chart> charts_of(const report::Document&, LinesToDraw = LinesToDraw::chosen);

/// Gives each chart a unique name, from its title and its plot's.
void name_charts(std::vector<Chart>&);

/// What a chart shows, in one line: "allreduce: busbw (GB/s) over size".
[[nodiscard]] std::string subject_of(const Chart&);

/// The chart of this name. Throws UsageError with the nearest names if there is none.
[[nodiscard]] const Chart& find_chart(const std::vector<Chart>&, const std::string& name);

/// Lines with marks in the plot, as indices in order.
[[nodiscard]] std::vector<std::size_t> drawn_lines(const Chart&);

/// The text that identifies a line among those that are drawn: its run, its series, or both.
[[nodiscard]] std::string line_label(const Chart&, std::size_t line);

}  // namespace busbar::figure
