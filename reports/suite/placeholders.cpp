// SPDX-License-Identifier: Apache-2.0
#include "reports/suite/placeholders.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/error.hpp"

namespace busbar::suite {
namespace {

constexpr std::array<std::string_view, 6> of_a_launch{"nodes", "ranks", "ranks_per_node", "hosts", "slots", "layouts"};

/// Calls `text` for plain parts and `name` for names in braces, in order.
void split_at_placeholders(std::string_view word, std::string_view place, const auto& text, const auto& name) {
  std::size_t at = 0;
  for (std::size_t open = word.find('{'); open != std::string_view::npos; open = word.find('{', at)) {
    const std::size_t close = word.find('}', open);
    if (close == std::string_view::npos) throw UsageError(fmt::format("{}: a {{ without }} in '{}'", place, word));
    text(word.substr(at, open - at));
    name(word.substr(open + 1, close - open - 1));
    at = close + 1;
  }
  text(word.substr(at));
}

[[noreturn]] void refuse(std::string_view place, std::string_view name, const Values& variables) {
  std::vector<std::string_view> known(of_a_launch.begin(), of_a_launch.end());
  for (const auto& [key, value] : variables)
    if (!is_placeholder_of_a_launch(key)) known.emplace_back(key);
  throw UsageError(fmt::format("{}: unknown {{{}}}; known: {}", place, name, fmt::join(known, ", ")));
}

}  // namespace

bool is_placeholder_of_a_launch(std::string_view name) {
  return std::ranges::find(of_a_launch, name) != of_a_launch.end();
}

bool mentions(std::string_view word, std::string_view name) {
  return word.find(fmt::format("{{{}}}", name)) != std::string_view::npos;
}

void check_placeholders(std::string_view word, const Values& variables, std::string_view place) {
  split_at_placeholders(
      word, place, [](std::string_view) {},
      [&](std::string_view name) {
        if (!is_placeholder_of_a_launch(name) && !variables.contains(std::string(name))) refuse(place, name, variables);
      });
}

std::string filled(std::string_view word, const Values& values, std::string_view place) {
  std::string out;
  split_at_placeholders(
      word, place, [&](std::string_view text) { out += text; },
      [&](std::string_view name) {
        const auto value = values.find(std::string(name));
        if (value == values.end()) refuse(place, name, values);
        out += value->second;
      });
  return out;
}

std::vector<std::string> split_words(std::string_view text, std::string_view flag) {
  std::vector<std::string> words;
  bool inside = false;  // within a word
  char quote = 0;
  for (const char c : text) {
    const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (quote == 0 && blank) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    if (quote == 0 && (c == '\'' || c == '"'))
      quote = c;
    else if (c == quote)
      quote = 0;
    else
      words.back() += c;
  }
  if (quote != 0) throw UsageError(fmt::format("{}: a {} is not closed in: {}", flag, quote, text));
  return words;
}

std::string shell_line(const std::vector<std::string>& words) {
  constexpr std::string_view plain = "-_./:=,+@%^";
  std::string line;
  for (const std::string& word : words) {
    const bool as_is = !word.empty() && std::ranges::all_of(word, [&](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || plain.find(c) != std::string_view::npos;
    });
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += (line.empty() ? "" : " ") + (as_is ? word : quoted + "'");
  }
  return line;
}

}  // namespace busbar::suite
