// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <exception>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

/// Parses all JSON from outside: files, lines of records, messages of other processes. The library and busbar walk
/// values recursively, so the depth is limited to keep the stack bounded.
namespace busbar {

/// Deepest accepted nesting of arrays and objects. A record has 6 levels, the data of a report 9.
constexpr int deepest_json = 64;

/// Parses `text`. Throws Error if it is nested too deeply, before parsing, and the library's exceptions if it is not
/// JSON.
[[nodiscard]] nlohmann::json parse_json(std::string_view text);

/// Throws Error if `text` is nested too deeply. For code that parses with a callback.
void refuse_deep_json(std::string_view text);

/// Message for an exception of the JSON library: "line 3, column 7: unexpected end of input; expected '}'", "no
/// 'image'", "a number where an object must be". Omits the line number if it is 1.
[[nodiscard]] std::string describe_json_error(const std::exception&);

}  // namespace busbar
