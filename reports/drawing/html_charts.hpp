// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "reports/document/document.hpp"

/// The part of a card that page/charts.js fills: a legend, a place for each chart, specifications and data.
namespace busbar::report {

/// `with_rounds`: with the rounds of the points, which a click on a point shows.
[[nodiscard]] std::string html_charts(const Charts&, bool with_rounds);
[[nodiscard]] std::string html_charts(const Figure&);

/// A <script> element with data for the page's scripts, which find it by `id`, or by position if `id` is empty.
[[nodiscard]] std::string data_script(const nlohmann::json&, std::string_view id = "");

}  // namespace busbar::report
