// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "reports/charts.hpp"

/// What is drawn over something else than sizes: lines over numbers of ranks, bars of groups. A figure of the document
/// is some of these plots beside each other, over the same lines.
namespace busbar::report {

/// A row of a tooltip.
struct Fact {
  std::string_view label;  ///< a literal of this program, never a record's text: it becomes part of an expression
  std::string text;
};

/// A point of a line, or a piece of a bar.
struct Mark {
  std::size_t line = 0;           ///< of the figure; of bars: the part that this piece is
  double x = 0;                   ///< of a point
  std::string group;              ///< of a bar: what is written below it
  double base = 0;                ///< of a bar: where the piece begins
  double value = 0;               ///< where it ends; where the point stands
  std::optional<Range> interval;  ///< of the value
  std::string label;              ///< written above a bar; may be empty
  std::vector<Fact> facts;        ///< with the same labels in all marks of a plot
};

/// A dashed line that was not measured: what is ideal.
struct Guide {
  std::string_view label;
  std::vector<std::pair<double, double>> points;
};

struct PlotAxis {
  std::string title;
  Range domain;
  bool logarithmic = false;  ///< base 2
  Ticks ticks;
};

enum class PlotKind { lines, bars };

struct Plot {
  PlotKind kind = PlotKind::lines;
  std::string title;  ///< may be empty
  PlotAxis x, y;      ///< bars have no domain and no ticks of x: their groups stand in the order of the marks
  std::vector<Mark> marks;
  std::vector<Guide> guides;  ///< of lines only
  bool side_by_side = false;  ///< bars: those of a group stand beside each other, one a line; else pieces of one bar
};

/// Round values from the least to the most of the domain, no more than seven, written by `text`.
[[nodiscard]] Ticks linear_ticks(Range domain, std::string (*text)(double));

/// Powers of two in the domain, no more than about eight: "1", "2", "4".
[[nodiscard]] Ticks doubling_ticks(Range domain);

/// Vega-Lite specification of the plot at `index` of a figure. Its data are the data sets of plot_data(); see
/// chart_spec() for colours and what can be hidden.
[[nodiscard]] nlohmann::json plot_spec(const Plot&, std::size_t index);

/// {"points": [...], "lines": [...]}: the marks of all plots of a figure, and its lines.
[[nodiscard]] nlohmann::json plot_data(const std::vector<Plot>&, const std::vector<Line>&);

}  // namespace busbar::report
