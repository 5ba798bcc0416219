// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "reports/figure/scene.hpp"

/// Draws a scene as a file. Cairo does it, in a module (core/files/module.hpp): busbar itself starts without Cairo.
namespace busbar::figure {

enum class Format { pdf, svg, png };

/// Written into the file: where it comes from.
struct Provenance {
  std::string title;    ///< "allreduce: busbw (GB/s) over size"
  std::string subject;  ///< "runs 20260131T120000Z-1a2b"
  std::string creator;  ///< "busbar 0.2.0"
  std::string date;     ///< of the data: "2026-01-31T12:00:00Z"; empty: unknown
};

struct Drawer {
  /// Width in points of a text in a font of this size in points.
  double (*width_of)(const std::string& text, const std::string& font, double size);
  /// The characters of a text that the font lacks, each once, in UTF-8. They are drawn as boxes.
  std::string (*lacking_in)(const std::string& text, const std::string& font);
  /// The content of the file. Throws Error if Cairo fails. `dpi`: of a PNG.
  std::string (*draw)(const Scene&, const std::string& font, Format, double dpi, const Provenance&);
};

}  // namespace busbar::figure
