// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "reports/document/plot.hpp"
#include "reports/drawing/spec_parts.hpp"

/// Encodings shared by all kinds of plot, and the layers of plots whose vertical axis has named rows.
namespace busbar::report::plot {

using spec::Json;

/// A quantity along an axis. `name` prefixes its tick parameters: "x" for the x axis, "y" for any other.
[[nodiscard]] Json channel(const PlotAxis& axis, const std::string& name, std::string_view field);

/// Rows of the tooltip: labels are literals of the program, texts are looked up in `mark`.
[[nodiscard]] std::string tooltip(const Plot& plot, std::string_view mark);

/// PlotKind::cells: a matrix; labels are shown where the cells are wide enough.
[[nodiscard]] Json cell_layers(const Plot& plot);

/// PlotKind::spans: time intervals in rows.
[[nodiscard]] Json span_layers(const Plot& plot);

/// Height in pixels for the plot's number of rows.
[[nodiscard]] std::size_t height_of_rows(const Plot& plot);

}  // namespace busbar::report::plot
