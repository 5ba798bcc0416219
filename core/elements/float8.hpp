// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/elements/float16.hpp"

namespace busbar {

/// 8-bit floating types, storage only (P. Micikevicius et al.: FP8 Formats for Deep Learning, 2022; OCP 8-bit Floating
/// Point Specification). E4M3 has no infinity, and one NaN per sign.
struct Float8E4M3 {
  std::uint8_t bits = 0;
};
struct Float8E5M2 {
  std::uint8_t bits = 0;
};

/// Exact.
[[nodiscard]] inline float to_float(Float8E5M2 v) {
  return to_float(Half{static_cast<std::uint16_t>(v.bits << 8)});  // the upper 8 bits of a binary16
}

/// Exact.
[[nodiscard]] inline float to_float(Float8E4M3 v) {
  const int exponent = v.bits >> 3 & 0xF, mantissa = v.bits & 7;
  const float sign = (v.bits & 0x80) != 0 ? -1.0F : 1.0F;
  if ((v.bits & 0x7F) == 0x7F) return std::numeric_limits<float>::quiet_NaN();
  return sign * (exponent == 0 ? std::ldexp(static_cast<float>(mantissa), -9)
                               : std::ldexp(static_cast<float>(8 + mantissa), exponent - 10));
}

namespace float8 {

/// Bits of the nearest value, ties to even. Overflow gives `beyond`, NaN gives `nan`.
[[nodiscard]] inline std::uint8_t nearest(float v, int mantissa_bits, int bias, std::uint8_t largest,
                                          std::uint8_t beyond, std::uint8_t nan) {
  const auto sign = static_cast<std::uint8_t>(std::signbit(v) ? 0x80 : 0);
  if (std::isnan(v)) return nan | sign;
  if (std::isinf(v)) return beyond | sign;
  if (v == 0) return sign;
  const int exponent = std::max(std::ilogb(v), 1 - bias);
  // In units of the last place. The implicit bit and a carry from rounding add to the exponent.
  const auto units = static_cast<int>(std::nearbyint(std::ldexp(std::fabs(v), mantissa_bits - exponent)));
  const int bits = ((exponent + bias - 1) << mantissa_bits) + units;
  return (bits > largest ? beyond : static_cast<std::uint8_t>(bits)) | sign;
}

}  // namespace float8

/// Rounds to nearest, ties to even; overflow gives NaN.
[[nodiscard]] inline Float8E4M3 to_float8_e4m3(float v) { return {float8::nearest(v, 3, 7, 0x7E, 0x7F, 0x7F)}; }
/// Rounds to nearest, ties to even; overflow gives infinity.
[[nodiscard]] inline Float8E5M2 to_float8_e5m2(float v) { return {float8::nearest(v, 2, 15, 0x7B, 0x7C, 0x7F)}; }

}  // namespace busbar
