// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

/// Records come from anywhere; nothing of them may become markup or code.
namespace busbar::report {

/// For the text of an element and for a quoted attribute. Control characters become U+FFFD.
[[nodiscard]] std::string escape_html(std::string_view);

/// For running text and table cells of Markdown: one line, no markup, no HTML.
[[nodiscard]] std::string escape_markdown(std::string_view);

/// JSON that can stand in a <script> element: `<`, `>`, `&`, U+2028 and U+2029 are written as \uXXXX.
[[nodiscard]] std::string script_json(const nlohmann::json&);

/// JavaScript that can stand in a <script> element: nothing in it ends the element or opens a comment of HTML.
[[nodiscard]] std::string script_text(std::string_view javascript);

}  // namespace busbar::report
