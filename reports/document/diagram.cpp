// SPDX-License-Identifier: Apache-2.0
#include "reports/document/diagram.hpp"

#include <string_view>

#include <fmt/core.h>

#include "reports/text/escape.hpp"

namespace busbar::report {
namespace {

/// Colours and text styles from page.css that a standalone sketch needs.
constexpr std::string_view sketch_colours =
    "<style>svg{--card:#fff;--text:#1b1f27;--quiet:#5a6272;--shade-1:#c9ddf0;--shade-2:#9cc5e5;--shade-3:#6aa8d6;"
    "--shade-4:#2f78b7;background:var(--card)}"
    "@media(prefers-color-scheme:dark){svg{--card:#1d2027;--text:#e7e9ee;--quiet:#a3abba;--shade-1:#233f5a;"
    "--shade-2:#25537b;--shade-3:#2f6c9f;--shade-4:#66a8de}}"
    "path{fill:none;stroke:var(--quiet);stroke-width:.7}"
    "text{font:11px "
    "system-ui,sans-serif;fill:var(--text);stroke:var(--card);stroke-width:4;paint-order:stroke}</style>";

std::string path(const Stroke& s) {
  const std::string begin = fmt::format("M{:.4g} {:.4g}", s.from.x, s.from.y);
  return begin + (s.bent ? fmt::format("Q{:.4g} {:.4g} {:.4g} {:.4g}", s.towards.x, s.towards.y, s.to.x, s.to.y)
                         : fmt::format("L{:.4g} {:.4g}", s.to.x, s.to.y));
}

std::string element(const Shape& s) {
  const double round = s.kind == ShapeKind::dot ? s.width / 2 : 2;
  return fmt::format(
      "<rect x=\"{:.4g}\" y=\"{:.4g}\" width=\"{:.4g}\" height=\"{:.4g}\" rx=\"{:.4g}\" fill=\"var(--shade-{})\"/>\n",
      s.middle.x - s.width / 2, s.middle.y - s.height / 2, s.width, s.height, round, s.shade);
}

std::string svg(const Sketch& s, std::string_view attributes, std::string_view style) {
  std::string out = fmt::format("<svg {} viewBox=\"0 0 {:.4g} {:.4g}\" role=\"img\" aria-label=\"{}\">{}\n<path d=\"",
                                attributes, s.width, s.height, escape_html(s.description), style);
  for (const Stroke& stroke : s.strokes) out += path(stroke);
  out += "\"/>\n";
  for (const Shape& shape : s.shapes) out += element(shape);
  for (const Label& label : s.labels)
    out += fmt::format("<text x=\"{:.4g}\" y=\"{:.4g}\">{}</text>\n", label.at.x, label.at.y, escape_html(label.text));
  return out + "</svg>\n";
}

}  // namespace

std::string svg_element(const Sketch& s) { return svg(s, "class=\"sketch\"", ""); }

std::string svg_file(const Sketch& s) {
  return svg(s, fmt::format("xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.4g}\"", 2 * s.width), sketch_colours);
}

}  // namespace busbar::report
