// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "reports/figure/layout.hpp"

/// A figure as paths and texts on the paper, in the order of drawing. Lengths are in points; y grows downwards.
namespace busbar::figure {

struct Path {
  std::vector<Point> points;
  bool closed = false;
  std::optional<Colour> fill, stroke;
  double opacity = 1;
  double width = 1;
  std::vector<double> dash;  ///< empty: solid
  bool clipped = false;      ///< to the plot
};

struct Words {
  Point at;  ///< on the baseline
  std::string text;
  double size = 8;
  Colour colour = ink;
  double anchor = 0;    ///< share of the width before `at`: 0, 0.5 or 1
  bool upward = false;  ///< turned by 90 degrees, read from below
  bool halo = false;    ///< with a margin in the colour of the paper
};

struct Scene {
  double width = 0, height = 0;
  Rectangle clip;
  std::vector<std::variant<Path, Words>> parts;
};

[[nodiscard]] Scene scene_of(const Picture&, const Layout&);

}  // namespace busbar::figure
