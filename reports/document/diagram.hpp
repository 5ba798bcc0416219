// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

/// Simple pictures drawn without a script: SVG in the colours of the page.
namespace busbar::report {

struct Spot {
  double x = 0, y = 0;  ///< y grows downwards
};

/// A line, or a curve with a control point `towards`.
struct Stroke {
  Spot from, to;
  bool bent = false;
  Spot towards = {};
};

enum class ShapeKind { box, dot };

/// A node of the picture, drawn at the ends of lines.
struct Shape {
  ShapeKind kind = ShapeKind::box;
  Spot middle;
  double width = 0, height = 0;  ///< for a dot, both are its diameter
  int shade = 0;                 ///< index into the page's palette, below `shades` (plot.hpp)
};

struct Label {
  Spot at;  ///< left end of the baseline
  std::string text;
};

/// `width` and `height` are in user units; text is 11 units high.
struct Sketch {
  double width = 400, height = 0;
  std::string description;  ///< text alternative for screen readers
  std::vector<Stroke> strokes;
  std::vector<Shape> shapes;
  std::vector<Label> labels;
};

/// An inline <svg> element, coloured by the page's style sheet.
[[nodiscard]] std::string svg_element(const Sketch&);

/// A standalone SVG file that follows the viewer's light or dark scheme.
[[nodiscard]] std::string svg_file(const Sketch&);

}  // namespace busbar::report
