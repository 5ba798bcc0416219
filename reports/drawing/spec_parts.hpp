// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.hpp"
#include "reports/document/charts.hpp"

/// Pieces of Vega-Lite that all charts of the page share; for .cpp files that make specifications. Colours, shapes and
/// dashes are numbers in the data; what they look like is in the configuration (colours, shapes) and here (dashes). The
/// page draws one legend for all charts of a card itself, so there is none in a specification.
namespace busbar::report::spec {

using Json = nlohmann::json;

/// Six digits: what a chart and its tooltip can show.
[[nodiscard]] Json rounded(std::optional<double>);

/// Strokes and gaps of each dash, by index.
[[nodiscard]] Json dash_patterns();

/// Size of a chart: as wide as its place on the page.
[[nodiscard]] Json frame(std::string_view description);

/// An axis whose marks are where the parameters of its name say: see parameters().
[[nodiscard]] Json axis(std::string_view title, const std::string& name, const Ticks&);

/// What the legend hides, and the marks of the axes.
[[nodiscard]] Json parameters(const Ticks& x, const Ticks& y);

/// Transforms: looks up the line of a point, and leaves out what the legend hides.
[[nodiscard]] Json look_up_line();
[[nodiscard]] Json without_hidden();

/// Channels of an encoding.
[[nodiscard]] Json colour_channel();
[[nodiscard]] Json line_channel();

/// The intervals behind the lines: an "area" along them, or a "rule" at each point, which also shows where its
/// neighbours have none.
[[nodiscard]] Json interval_layer(std::string_view mark, const std::string& low_field, const std::string& high_field);

[[nodiscard]] Json line_layer();

/// The points; the nearest one is found for the pointer, so that nobody has to hit one. The tooltip's expression sees
/// the point as `datum.datum`.
[[nodiscard]] Json point_layer(const std::string& tooltip);

/// The data set "lines", which look_up_line() reads.
[[nodiscard]] Json line_data(const std::vector<Line>&);

}  // namespace busbar::report::spec
