// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "reports/document/document.hpp"
#include "reports/document/plot.hpp"
#include "reports/drawing/spec_parts.hpp"

/// Names of lines at their right ends, in their colours, instead of a legend.
namespace busbar::report::spec {

/// The last point of a line.
struct LineEnd {
  std::size_t line = 0;
  double x = 0, y = 0;
};

/// Names of lines without what all of them begin with, up to a "=" or a blank: "vm", "metal" for "platform=vm" and
/// "platform=metal".
[[nodiscard]] std::vector<std::string> short_names(const std::vector<Line>&);

/// True if the lines are few, their names short, and none is thin.
[[nodiscard]] bool can_label(const std::vector<Line>&);

/// True if the figure has a legend and plots of lines only, all of them can be labelled, and the plots are wide: at
/// most three.
[[nodiscard]] bool can_label(const Figure&);

/// Moves positions apart to at least `gap`, within low and high as far as they fit, keeping their order. Returns the
/// new positions.
[[nodiscard]] std::vector<double> moved_apart(const std::vector<double>& wanted, double gap, Range within);

/// Adds the layer "labels" to a chart, and its width in pixels to what page/pointing.js needs to know: charts that are
/// narrow for it lose the layer.
/// `fields`: of the chart's points, along x and y; `encoding`: of the layer's places, may be empty.
void add_labels(Json& chart, const std::vector<Line>& lines, const std::vector<LineEnd>& ends, const PlotAxis& y_axis,
                double height, std::pair<std::string, std::string> fields, const Json& encoding);

}  // namespace busbar::report::spec
