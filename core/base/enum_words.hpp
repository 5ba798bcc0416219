// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace busbar {

/// An enum with values 0, 1, ... without gaps and a word for each: `constexpr auto words_of(Colour)`, declared beside
/// the enum, returns an array of the words in the order of the values.
template <class Enum>
concept HasWords = std::is_enum_v<Enum> && requires { words_of(Enum{}); };

template <HasWords Enum>
[[nodiscard]] constexpr std::string_view name(Enum value) {
  return words_of(value)[static_cast<std::size_t>(value)];
}

template <HasWords Enum>
[[nodiscard]] std::string text_of(Enum value) {
  return std::string(name(value));
}

/// All words, as "red, green".
template <HasWords Enum>
[[nodiscard]] std::string words_list() {
  std::string all;
  for (const std::string_view word : words_of(Enum{})) all += (all.empty() ? "" : ", ") + std::string(word);
  return all;
}

/// The value whose word is `text`; empty if there is none.
template <HasWords Enum>
[[nodiscard]] constexpr std::optional<Enum> enum_named(std::string_view text) {
  constexpr auto words = words_of(Enum{});
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == text) return static_cast<Enum>(i);
  return std::nullopt;
}

}  // namespace busbar
