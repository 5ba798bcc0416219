// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "reports/document/charts.hpp"

/// What is drawn over something else than sizes: lines over numbers of ranks, bars of groups, cells of a matrix, spans
/// of time. A figure of the document is some of these plots beside each other, over the same lines.
namespace busbar::report {

/// A row of a tooltip.
struct Fact {
  std::string_view label;  ///< a literal of this program, never a record's text: it becomes part of an expression
  std::string text;
};

/// Shades of the page's palette for cells, from the palest to the strongest.
inline constexpr std::size_t shades = 6;

/// A point of a line, a piece of a bar, a cell or a span.
struct Mark {
  std::size_t line = 0;           ///< of the figure; of bars and spans: the part that this piece is
  double x = 0;                   ///< of a point; where the label of a span stands
  std::string group;              ///< of a bar: what is written below it; of a cell: its column
  std::string row;                ///< of a cell or a span
  double base = 0;                ///< of a bar or a span: where the piece begins
  double value = 0;               ///< where it ends; where the point stands; of a cell: what its shade stands for
  std::size_t shade = 0;          ///< of a cell, below `shades`
  std::optional<Range> interval;  ///< of the value
  std::string label;              ///< written above a bar, in a cell or a span; may be empty
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
  std::vector<std::string> names;  ///< rows or columns in their order; empty: as the marks stand
};

enum class PlotKind {
  lines,
  bars,
  cells,  ///< of a matrix, shaded by what they stand for
  spans,  ///< pieces of time in rows
};

struct Plot {
  PlotKind kind = PlotKind::lines;
  std::string title;  ///< may be empty
  /// Groups of bars, rows and columns stand in the order of the marks: their axis has a title only.
  PlotAxis x, y;
  std::vector<Mark> marks;
  std::vector<Guide> guides;  ///< of lines only
  bool side_by_side = false;  ///< bars: those of a group stand beside each other, one a line; else pieces of one bar
};

/// Round values from the least to the most of the domain, no more than seven, written by `text`.
[[nodiscard]] Ticks linear_ticks(Range domain, std::string (*text)(double));

/// A linear axis whose ticks are written as plain numbers.
[[nodiscard]] PlotAxis linear_axis(std::string title, Range domain);

/// Shade of a value in a range: equal steps from its lower end.
[[nodiscard]] std::size_t shade_of(double value, Range);

/// Powers of two in the domain, no more than about eight: "1", "2", "4".
[[nodiscard]] Ticks doubling_ticks(Range domain);

/// Vega-Lite specification of the plot at `index` of a figure. Its data are the data sets of plot_data(); see
/// chart_spec() for colours and what can be hidden.
[[nodiscard]] nlohmann::json plot_spec(const Plot&, std::size_t index);

/// {"points": [...], "lines": [...]}: the marks of all plots of a figure, and its lines.
[[nodiscard]] nlohmann::json plot_data(const std::vector<Plot>&, const std::vector<Line>&);

}  // namespace busbar::report
