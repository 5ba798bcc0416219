// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstring>
#include <string>

#include <fmt/core.h>

#include "core/elements/dtype.hpp"

/// Converts one element of any type from an integer that it represents exactly, and to text.
namespace busbar {

/// Stores `value` at `to`. Its magnitude must not exceed info(type).exact_max.
inline void store(DType type, std::int64_t value, std::byte* to) {
  with_type(type, [&]<class T>(T) {
    T element;
    if constexpr (std::is_same_v<T, Half>)
      element = to_half(static_cast<float>(value));
    else if constexpr (std::is_same_v<T, BFloat16>)
      element = to_bfloat16(static_cast<float>(value));
    else if constexpr (std::is_same_v<T, Float8E4M3>)
      element = to_float8_e4m3(static_cast<float>(value));
    else if constexpr (std::is_same_v<T, Float8E5M2>)
      element = to_float8_e5m2(static_cast<float>(value));
    else
      element = static_cast<T>(value);
    std::memcpy(to, &element, sizeof element);
  });
}

/// The element at `from` as text, with enough digits to distinguish it from its neighbours.
[[nodiscard]] inline std::string format_element(DType type, const std::byte* from) {
  return with_type(type, [&]<class T>(T element) {
    std::memcpy(&element, from, sizeof element);
    if constexpr (!std::is_arithmetic_v<T>)
      return fmt::format("{}", to_float(element));
    else if constexpr (sizeof(T) == 1)
      return std::to_string(static_cast<int>(element));
    else
      return fmt::format("{}", element);
  });
}

}  // namespace busbar
