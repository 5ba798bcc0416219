// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.hpp"
#include "reports/document/plot.hpp"

/// Vega-Lite parts shared by all charts of the page, for .cpp files that build specifications. Colours, shapes and
/// dashes are indices in the data; chart_config() maps colours and shapes, dash_patterns() maps dashes. Specifications
/// have no legend: the page draws one for all charts of a card.
namespace busbar::report::spec {

using Json = nlohmann::json;

/// Dash and gap lengths of each pattern, by index.
[[nodiscard]] Json dash_patterns();

inline constexpr unsigned chart_height = 260;  ///< of the area of the curves, in pixels

/// Description, size and data of a chart; the width follows its container.
[[nodiscard]] Json frame(std::string_view description);

/// An axis whose ticks and labels come from the parameters `name`_ticks and `name`_labels; see parameters(). Minor
/// ticks have no label and a paler grid.
[[nodiscard]] Json axis(std::string_view title, const std::string& name, const Ticks&);

/// Parameters for the items that the legend hides, at first those that it does not show, and for the ticks of the axes.
[[nodiscard]] Json parameters(const Ticks& x, const Ticks& y, const std::vector<LegendEntry>& legend);

/// Transforms that look up the line of a point in the data set "lines" (line_data()) and drop what the legend hides.
[[nodiscard]] Json look_up_line();
[[nodiscard]] Json without_hidden();

/// Channels of an encoding.
[[nodiscard]] Json colour_channel();
[[nodiscard]] Json line_channel();

/// Intervals behind the lines: an "area" along them, or a "rule" at each point, which is visible even where
/// neighbouring points have no interval.
[[nodiscard]] Json interval_layer(std::string_view mark, const std::string& low_field, const std::string& high_field);

inline constexpr std::size_t most_bands = 4;  ///< areas along more lines would cover each other: these get rules only

[[nodiscard]] Json line_layer();

/// The points. They have no tooltips: page/pointing.js finds the point nearest the pointer.
[[nodiscard]] Json point_layer();

/// What page/pointing.js needs to know of a chart: the fields of its points along both axes, and whether x is a message
/// size. Part of the specification, which Vega-Lite ignores.
[[nodiscard]] Json pointing(std::string_view x, std::string_view y, bool sizes);

}  // namespace busbar::report::spec
