// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <exception>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

/// The one way in which text from outside becomes JSON: files, lines of records, words of other processes. Functions of
/// the library and of ours that go through a value call themselves at each level, and a stack ends.
namespace busbar {

/// Levels of lists and objects that are read: a record has 6, a report's data 9.
constexpr int deepest_json = 64;

/// What is parsed of `text`. Throws Error for what is nested deeper, before anything is parsed, and the library's
/// exceptions for what is no JSON.
[[nodiscard]] nlohmann::json parse_json(std::string_view text);

/// Throws Error for what is nested deeper. For those that parse with a callback.
void refuse_deep_json(std::string_view text);

/// What an exception of the JSON library says, in words for a message: "line 3, column 7: unexpected end of input;
/// expected '}'", "no 'image'", "a number where an object must be". The first line is not counted.
[[nodiscard]] std::string describe_json_error(const std::exception&);

}  // namespace busbar
