// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "reports/document/document.hpp"

namespace busbar::report {

/// A self-contained page that loads nothing. `chart_bundle` is the JavaScript that draws (see page.hpp), embedded in
/// the page. If it is empty, tables replace the charts and the page says so.
[[nodiscard]] std::string render_html(const Document&, std::string_view chart_bundle);

/// GitHub-flavoured Markdown. Tables replace charts.
[[nodiscard]] std::string render_markdown(const Document&);

/// The document as data: chapters of blocks, each a paragraph, key-value pairs, a table or charts. Charts are Vega-Lite
/// specifications over the data sets "points" and "lines". Keys: docs/reports.md.
[[nodiscard]] nlohmann::json render_json(const Document&);

/// Layout of terminal text.
struct TextStyle {
  std::size_t width = 100;  ///< columns
  bool colour = false;
};

/// Style for standard output: terminal width or 100 columns; colour on a terminal unless NO_COLOR is set.
[[nodiscard]] TextStyle text_style();

/// Plain text with aligned columns for a terminal. Tables replace charts. The document's title is left out.
[[nodiscard]] std::string render_text(const Document&, const TextStyle&);

/// The data of a chart group as tables: one row per size, one column per line; one table for bandwidth, one for time.
[[nodiscard]] std::vector<Table> figures(const Charts&);

}  // namespace busbar::report
