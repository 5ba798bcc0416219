// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/document/charts.hpp"

/// Plots over anything but message size: lines over ranks, grouped bars, matrix cells, time spans. A figure is one or
/// more plots side by side, over the same lines. Also the axes and ticks of all charts.
namespace busbar::report {

/// A row of a tooltip.
struct Fact {
  std::string_view label;  ///< a string literal, never text from a record: it becomes part of an expression
  std::string text;
};

/// Number of cell shades in the page's palette, palest first.
inline constexpr std::size_t shades = 6;

/// A point of a line, a segment of a bar, a cell or a span.
struct Mark {
  std::size_t line = 0;           ///< index of the figure's line; for bars and spans: of the component
  double x = 0;                   ///< of a point; for a span: position of its label
  std::string group;              ///< bar: label below it; cell: its column
  std::string row;                ///< of a cell or a span
  double base = 0;                ///< bar or span: start of the segment
  double value = 0;               ///< point: y; bar or span: end of the segment; cell: value behind its shade
  std::size_t shade = 0;          ///< of a cell, below `shades`
  std::optional<Range> interval;  ///< of `value`
  std::string label;              ///< written above a bar, in a cell or a span; may be empty
  std::vector<Fact> facts;        ///< same labels in all marks of a plot
};

/// A dashed reference line, such as the ideal.
struct Guide {
  std::string_view label;
  std::vector<std::pair<double, double>> points;
};

/// A side of a plot that is named, such as "vm slower".
struct Region {
  std::string label;
  Range y;
  bool good = true;  ///< false: shaded as bad
};

/// Tick positions of an axis and their labels.
struct Ticks {
  std::vector<double> values;
  std::vector<std::string> labels;
  std::vector<double> minor;  ///< ticks without labels, between the others

  void add(double value, std::string label) {
    values.push_back(value);
    labels.push_back(std::move(label));
  }
};

struct PlotAxis {
  std::string title;
  Range domain;
  bool logarithmic = false;  ///< base 2
  Range sizes;               ///< of an axis of message sizes: the smallest and the largest; else both 0
  Ticks ticks;
  std::vector<std::string> names;  ///< rows or columns in order; empty: in the order of the marks
};

enum class PlotKind {
  lines,
  bars,
  cells,  ///< of a matrix, shaded by value
  spans,  ///< time intervals in rows
};

struct Plot {
  PlotKind kind = PlotKind::lines;
  std::string title;    ///< may be empty
  std::string caption;  ///< below the title; may be empty
  /// Words of the card's buttons that show or hide it, such as a quantity and a size; drawn while all of them are
  /// pressed. At first those of plots that are not hidden are.
  std::vector<std::string> words;
  bool hidden = false;
  /// Bar groups, rows and columns follow the order of the marks; their axis has only a title.
  PlotAxis x, y;
  std::vector<Mark> marks;
  std::vector<Guide> guides;    ///< for lines only
  std::vector<Region> regions;  ///< for lines only
  unsigned height = 260;        ///< of lines and bars, in pixels
  /// Label of the fact that gives a point's value as text; empty: its number is shown where a reader points.
  std::string_view value_fact;
  bool side_by_side = false;  ///< bars: true: one bar per line in each group; false: stacked
};

/// Range of the marks and of the ends of their intervals that are above 0. The plot must have marks.
[[nodiscard]] Range extent(const Plot&);

/// "2.5", "1e+06".
[[nodiscard]] std::string plain_number(double);

/// Powers of 1024: "1 KiB", "1 MiB". If there are fewer than three, more powers of two, at most six. The other powers
/// of two are minor ticks.
[[nodiscard]] Ticks size_ticks(Range bytes);

/// Powers of ten; below two decades also 2 and 5 times those.
[[nodiscard]] Ticks value_ticks(Range, Quantity);

/// Round values across the domain, at most seven; `text` formats each.
[[nodiscard]] Ticks linear_ticks(Range domain, std::string (*text)(double) = plain_number);

/// A linear axis with plain numbers as labels.
[[nodiscard]] PlotAxis linear_axis(std::string title, Range domain);

/// A logarithmic axis, longer than the range by the factor `margin` at both ends.
[[nodiscard]] PlotAxis log_axis(std::string title, Range, const Ticks&, double margin);

/// A logarithmic axis of times in seconds, or of bandwidths in GB/s.
[[nodiscard]] PlotAxis value_axis(Range, Quantity);

/// A logarithmic axis of message sizes in bytes. share_sizes() gives those of a document one domain.
[[nodiscard]] PlotAxis size_axis(Range bytes);

/// A logarithmic axis of ratios, with ticks at round ratios; linear ticks in a range below a factor of 2.
[[nodiscard]] PlotAxis ratio_axis(std::string title, Range);

/// The range of the marks, their intervals, and a margin around 1 (0.02), with room for a word above and below 1.
[[nodiscard]] Range ratio_range(const std::vector<Mark>&, double margin);

/// Shade of a value in a range, in equal steps from the low end.
[[nodiscard]] std::size_t shade_of(double value, Range);

/// Powers of two in the domain, at most about eight: "1", "2", "4".
[[nodiscard]] Ticks doubling_ticks(Range domain);

}  // namespace busbar::report
