// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

/// Files embedded into the program for pages that are not reports, and the frame of such a page.
namespace busbar::board {

[[nodiscard]] std::string_view live_css();  ///< reports/page/live.css
[[nodiscard]] std::string_view base_js();   ///< what every page has: the button for the theme
[[nodiscard]] std::string_view live_js();   ///< reports/page/live.js
[[nodiscard]] std::string_view board_js();  ///< reports/page/board.js

struct Shell {
  std::string title;         ///< plain text
  std::string summary;       ///< plain text below the title; may be empty
  std::string body;          ///< markup of the main element with its tags
  std::string script;        ///< run after base_js(); may be empty
  bool asks_server = false;  ///< the script fetches from where the page came from
};

/// The content security policy: only the page's own script and styles, by hash.
[[nodiscard]] std::string policy_of(const Shell&);

/// The whole page, with the policy in it.
[[nodiscard]] std::string html_of(const Shell&);

}  // namespace busbar::board
