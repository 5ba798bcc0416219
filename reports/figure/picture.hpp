// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/figure/chart.hpp"

/// A chart as marks in the coordinates of its axes: the same for every file format.
namespace busbar::figure {

using Colour = std::uint32_t;  ///< 0xRRGGBB

/// The page's light colours (reports/page/page.css); a test compares them.
inline constexpr std::array<Colour, report::colours> line_colours{0x0f67df, 0xb44705, 0x00825e, 0xaa5590,
                                                                  0x0497d2, 0xc37f0b, 0x5a5963, 0x613889};
inline constexpr std::array<Colour, report::shades> shade_colours{0xeaf1f8, 0xc9ddf0, 0x9cc5e5,
                                                                  0x6aa8d6, 0x2f78b7, 0x0b4f94};
inline constexpr Colour ink = 0x1b1f27, quiet = 0x5a6272, grid_colour = 0xdde1e8, paper = 0xffffff;

struct Point {
  double x = 0, y = 0;
};

struct Axis {
  std::string title;
  report::Range range;
  bool logarithmic = false;
  report::Ticks major;
  std::vector<double> minor;  ///< ticks without labels
  bool named = false;         ///< ticks are names of groups, rows or columns: each has a slot, and no grid line
};

/// A line with points. A guide has no points and its label at its end.
struct Curve {
  std::vector<Point> points;
  Colour colour = ink;
  std::vector<double> dash;          ///< in points; empty: solid
  double width = 1;                  ///< in points
  std::optional<std::size_t> shape;  ///< of its points, an index below report::shapes; empty: none
  std::string label;                 ///< may be empty
};

/// A filled polygon: the band of an interval, a bar, a cell.
struct Area {
  std::vector<Point> corners;
  Colour colour = ink;
  double opacity = 1;
  bool outlined = false;  ///< separated from its neighbours by a thin line in the colour of the paper
};

/// The interval of a point, as a vertical stroke.
struct Whisker {
  double x = 0;
  report::Range range;
  Colour colour = ink;
};

/// A text at a point: left of it, on it, right of it.
struct Note {
  enum class Place { middle, above, before };
  Point at;
  Place place = Place::middle;
  std::string text;
  Colour colour = ink;
  Point room;  ///< left out where it is larger than this, in units of the axes; 0: always drawn
};

struct Key {
  std::string label;
  Colour colour = ink;
  std::vector<double> dash;
  std::optional<std::size_t> shape;
  bool filled = false;
};

struct Picture {
  Axis x, y;
  std::vector<Area> areas;
  std::vector<Whisker> whiskers;
  std::vector<Curve> guides, curves;
  std::vector<Note> notes;
  std::vector<Key> keys;
  std::size_t points = 0;  ///< marks that are drawn
};

[[nodiscard]] Picture picture_of(const Chart&);

/// Parts of it, by kind of plot.
void add_lines(Picture&, const Chart&);
void add_bars(Picture&, const Chart&);
void add_cells(Picture&, const Chart&);
void add_spans(Picture&, const Chart&);

/// Axis of a plot. Sizes have ticks at powers of 1024, or closer ones below two of them.
[[nodiscard]] Axis axis_of(const report::PlotAxis&);

/// An axis with one slot for each name, at 0, 1, ...; `downwards`: at 0, -1, ....
[[nodiscard]] Axis named_axis(std::string title, const std::vector<std::string>& names, bool downwards);

/// Dash and gap lengths of a line's style; empty: solid.
[[nodiscard]] std::vector<double> dash_of(const report::LineStyle&);
[[nodiscard]] Colour colour_of(const report::LineStyle&);

}  // namespace busbar::figure
