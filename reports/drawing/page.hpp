// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

/// Files embedded into the program by scripts/cmake/Embed.cmake, and what all pages begin with.
namespace busbar::report {

[[nodiscard]] std::string_view page_css();      ///< reports/page/page.css
[[nodiscard]] std::string_view page_js();       ///< reports/page/page.js
[[nodiscard]] std::string_view chart_bundle();  ///< vega, vega-lite, vega-embed; empty if this build has none

/// Content security policy: loads nothing and runs only the page's own scripts and styles, identified by hash.
/// `css`, `scripts`: as they are between the tags. `asks_server`: scripts may fetch from where the page came from.
[[nodiscard]] std::string page_policy(std::string_view css, const std::vector<std::string>& scripts,
                                      bool asks_server = false);

/// The page up to and with </head>. `title`: plain text.
[[nodiscard]] std::string page_head(std::string_view title, std::string_view css, std::string_view policy);

}  // namespace busbar::report
