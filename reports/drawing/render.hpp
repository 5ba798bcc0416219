// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "reports/document/document.hpp"

namespace busbar::report {

/// One page that loads nothing. `chart_bundle` is the JavaScript that draws (see page.hpp): it is put into the page.
/// Empty: tables stand where charts would, and the page says so.
[[nodiscard]] std::string render_html(const Document&, std::string_view chart_bundle);

/// GitHub's Markdown. Tables stand where charts would.
[[nodiscard]] std::string render_markdown(const Document&);

/// The document as data: chapters of blocks, each a paragraph, facts, a table, or charts (Vega-Lite specifications over
/// the data sets "points" and "lines"; scripts/export-charts makes pictures of them). docs/reports.md has the keys.
[[nodiscard]] nlohmann::json render_json(const Document&);

/// How text for a terminal looks.
struct TextStyle {
  std::size_t width = 100;  ///< columns
  bool colour = false;
};

/// Of standard output: its width, and colours where it is a terminal and NO_COLOR is not set; 100 columns without
/// colours elsewhere.
[[nodiscard]] TextStyle text_style();

/// Plain text with aligned columns for a terminal. Tables stand where charts would. Document's title is left out.
[[nodiscard]] std::string render_text(const Document&, const TextStyle&);

/// What a chart group draws as tables: a row a size, a column a line; one table for busbw, one for time.
[[nodiscard]] std::vector<Table> figures(const Charts&);

}  // namespace busbar::report
