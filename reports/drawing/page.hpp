// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

/// Files embedded into the program by scripts/cmake/Embed.cmake.
namespace busbar::report {

[[nodiscard]] std::string_view page_css();      ///< reports/page/page.css
[[nodiscard]] std::string_view page_js();       ///< reports/page/page.js
[[nodiscard]] std::string_view chart_bundle();  ///< vega, vega-lite, vega-embed; empty if this build has none

}  // namespace busbar::report
