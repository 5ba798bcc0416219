// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Lines of charts, their legend, and which of them a chart shows at first.
namespace busbar::report {

/// Indices into the page's palettes, modulo their lengths.
struct LineStyle {
  std::size_t colour = 0, shape = 0, dash = 0;
  bool thin = false;  ///< a thin line with small points
};
inline constexpr std::size_t colours = 8, shapes = 7, dashes = 5;

struct Line {
  std::string run;
  std::string series;  ///< distinguishes lines of one run; empty where a run has one line
  LineStyle style;
};

/// A legend entry: all lines of a run, or all lines of a series.
struct LegendEntry {
  bool is_run = true;
  bool coloured = true;  ///< false: identified by its dash
  bool filled = false;   ///< drawn as a bar
  std::string label;
  LineStyle style;
  bool shown = true;  ///< false: its lines are drawn on demand
};

/// More lines are hard to distinguish; the rest is drawn on demand.
inline constexpr std::size_t most_shown_lines = 8;

/// Values by which lines are chosen.
struct LineValues {
  struct Value {
    std::size_t line = 0;
    double x = 0;
    double value = 0;
  };
  std::vector<Value> values;
  std::string_view lowest = "lowest", highest = "highest";  ///< words for the ends
  std::string (*text)(double x) = nullptr;                  ///< "64 MiB"
};

/// A place on an axis of message sizes, for LineValues: "64 MiB".
[[nodiscard]] std::string place_of_size(double bytes);

/// Hides legend entries until at most most_shown_lines lines are shown, and says which: "8 of 30 lines: fastest,
/// slowest and 6 between at 64 MiB". Empty if all are shown.
///
/// Where runs have several series, series go first while more than one is left: those with the fewest lines, the later
/// of two with equally many. Of the lines left, those with the lowest and the highest value stay, and others at equal
/// distances in the order by value; the values are those at the largest x that most lines have. The order of the legend
/// does not change. Where each entry has a colour of its own, those that are shown get the first colours: no two share
/// one.
[[nodiscard]] std::string show_few(std::vector<LegendEntry>& legend, std::vector<Line>& lines, const LineValues&);

/// True if the legend shows the line at first.
[[nodiscard]] bool is_shown(const Line& line, const std::vector<LegendEntry>& legend);

}  // namespace busbar::report
