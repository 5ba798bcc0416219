// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

/// Escaping of records, which are untrusted: no text of a record may become markup or code.
namespace busbar::report {

/// Escapes element text and quoted attribute values. Control characters become U+FFFD.
[[nodiscard]] std::string escape_html(std::string_view);

/// Escapes running text and table cells for Markdown: one line, no markup, no HTML.
[[nodiscard]] std::string escape_markdown(std::string_view);

/// A cell of a CSV file, quoted where needed. Text that looks like a formula gets an apostrophe, or spreadsheets run it
/// (OWASP, CSV injection).
[[nodiscard]] std::string escape_csv(std::string text);

/// JSON that is safe inside a <script> element: `<`, `>`, `&`, U+2028 and U+2029 become \uXXXX.
[[nodiscard]] std::string script_json(const nlohmann::json&);

/// JavaScript that is safe inside a <script> element: it cannot close the element or open an HTML comment.
[[nodiscard]] std::string script_text(std::string_view javascript);

}  // namespace busbar::report
