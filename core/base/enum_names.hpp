// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <optional>
#include <string_view>

namespace busbar {

/// The enumerator, counted from 0 without gaps, whose name is `text`; nothing where there is none.
template <class Enum, std::size_t N>
[[nodiscard]] constexpr std::optional<Enum> enum_named(const std::array<std::string_view, N>& names,
                                                       std::string_view text) {
  for (std::size_t i = 0; i < N; ++i)
    if (names[i] == text) return static_cast<Enum>(i);
  return std::nullopt;
}

}  // namespace busbar
