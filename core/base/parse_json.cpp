// SPDX-License-Identifier: Apache-2.0
#include "core/base/parse_json.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/json.hpp"

namespace busbar {
namespace {

std::string_view behind(std::string_view text, std::string_view mark) {
  const auto at = text.find(mark);
  return at == std::string_view::npos ? text : text.substr(at + mark.size());
}

std::string_view before(std::string_view text, std::string_view mark) { return text.substr(0, text.find(mark)); }

/// Adds the article: "an object", "a number". Anything but a single word is returned as it is: "7.5".
std::string one(std::string_view type) {
  const bool is_word = std::ranges::all_of(type, [](char c) { return c >= 'a' && c <= 'z'; });
  return is_word ? fmt::format("{} {}", type.find_first_of("ao") == 0 ? "an" : "a", type) : std::string(type);
}

/// Parses e.g. "parse error at line 1, column 7: syntax error while parsing object - unexpected end of input; expected
/// '}'".
std::string describe_parse_error(std::string_view text) {
  constexpr std::string_view first_line = "line 1, ";
  auto place = before(behind(text, "parse error at "), ":");
  if (place.starts_with(first_line)) place.remove_prefix(first_line.size());
  return fmt::format("{}: {}", place, behind(behind(text, ": "), " - "));
}

/// Skips from one to the next, which is faster than looking at each character.
int count(std::string_view text, char sought) {
  int n = 0;
  for (std::size_t at = text.find(sought); at != std::string_view::npos; at = text.find(sought, at + 1)) ++n;
  return n;
}

}  // namespace

void refuse_deep_json(std::string_view text) {
  if (count(text, '[') + count(text, '{') <= deepest_json) return;
  int depth = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') in_text = !in_text;
    if (in_text) {
      if (c == '\\') ++i;
      continue;
    }
    if ((c == '[' || c == '{') && ++depth > deepest_json)
      throw Error(fmt::format("is JSON of more than {} levels", deepest_json));
    if (c == ']' || c == '}') --depth;
  }
}

nlohmann::json parse_json(std::string_view text) {
  refuse_deep_json(text);
  // As bytes: a parser of a type of its own is compiled here, with the optimisation of this file, and not shared with
  // files that are optimised less.
  const auto* first = reinterpret_cast<const std::uint8_t*>(text.data());
  return nlohmann::json::parse(first, first + text.size());
}

// Recognises the messages of nlohmann/json 3.11 ("Exceptions" in its documentation). Others only lose their tag.
std::string describe_json_error(const std::exception& e) {
  const std::string_view said = e.what(), text = behind(said, "] ");
  const auto is = [&](std::string_view id) { return said.find(id) != std::string_view::npos; };
  if (is("[json.exception.parse_error.101]")) return describe_parse_error(text);
  if (is("[json.exception.type_error.302]"))
    return fmt::format("{} where {} must be", one(behind(text, "but is ")), one(before(behind(text, "must be "), ",")));
  if (is("[json.exception.type_error.304]") || is("[json.exception.type_error.305]"))
    return fmt::format("{} where an object must be", one(text.substr(text.rfind(' ') + 1)));
  if (is("[json.exception.out_of_range.403]")) return fmt::format("no {}", before(behind(text, "key "), " not found"));
  if (is("[json.exception.out_of_range.406]"))
    return fmt::format("the number {} is too large", behind(text, "parsing "));
  return std::string(text);
}

}  // namespace busbar
