// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "reports/figure/drawer.hpp"

/// Adds to files what Cairo does not write into them.
namespace busbar::figure {

/// An SVG with <title> and <desc>.
[[nodiscard]] std::string with_svg_title(std::string svg, const Provenance&);

/// A PNG with its resolution (pHYs) and texts (iTXt): Title, Description, Software.
[[nodiscard]] std::string with_png_texts(std::string png, double dpi, const Provenance&);

}  // namespace busbar::figure
