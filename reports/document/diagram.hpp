// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

/// Pictures of few shapes that need no script to be drawn: SVG in the colours of the page.
namespace busbar::report {

struct Spot {
  double x = 0, y = 0;  ///< y grows downwards
};

/// A line, or a curve that is drawn towards a third point.
struct Stroke {
  Spot from, to;
  bool bent = false;
  Spot towards = {};
};

enum class ShapeKind { box, dot };

/// What stands at the ends of lines.
struct Shape {
  ShapeKind kind = ShapeKind::box;
  Spot middle;
  double width = 0, height = 0;  ///< of a dot its diameter, twice
  int shade = 0;                 ///< of the page's palette, below `shades` (plot.hpp)
};

struct Label {
  Spot at;  ///< left end of its base line
  std::string text;
};

/// Lengths are in units of which `width` lie beside each other; text is 11 of them high.
struct Sketch {
  double width = 400, height = 0;
  std::string description;  ///< for those who do not see it
  std::vector<Stroke> strokes;
  std::vector<Shape> shapes;
  std::vector<Label> labels;
};

/// An <svg> element in a page, whose style sheet has the colours.
[[nodiscard]] std::string svg_element(const Sketch&);

/// A file of its own, light or dark as its viewer is.
[[nodiscard]] std::string svg_file(const Sketch&);

}  // namespace busbar::report
