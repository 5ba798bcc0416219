// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "reports/document/plot.hpp"
#include "reports/drawing/spec_parts.hpp"

/// What plots of all kinds are drawn with, and the layers of those whose vertical axis is rows with names.
namespace busbar::report::plot {

using spec::Json;

/// A quantity along an axis; `name` is that of the parameters that hold its ticks: "x", or "y" for any other.
[[nodiscard]] Json channel(const PlotAxis& axis, const std::string& name, std::string_view field);

/// The rows of the tooltip: labels are ours, texts are looked up in the data of `mark`.
[[nodiscard]] std::string tooltip(const Plot& plot, std::string_view mark);

/// PlotKind::cells: a matrix; what stands in a cell is shown where it is wide enough.
[[nodiscard]] Json cell_layers(const Plot& plot);

/// PlotKind::spans: pieces of time, each in its row.
[[nodiscard]] Json span_layers(const Plot& plot);

/// Pixels, by the number of rows.
[[nodiscard]] std::size_t height_of_rows(const Plot& plot);

}  // namespace busbar::report::plot
