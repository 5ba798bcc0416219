// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstdint>

namespace busbar {

/// IEEE 754 binary16, storage only. Compute in float; conversion back rounds to nearest even.
struct Half {
  std::uint16_t bits = 0;
};

/// bfloat16 (the upper half of a binary32), storage only.
struct BFloat16 {
  std::uint16_t bits = 0;
};

/// Exact: every bfloat16 is a float.
[[nodiscard]] constexpr float to_float(BFloat16 v) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(v.bits) << 16);
}

/// Rounds to nearest, ties to even; NaN stays NaN. Branch-free, so that loops vectorise.
[[nodiscard]] constexpr BFloat16 to_bfloat16(float v) {
  const auto u = std::bit_cast<std::uint32_t>(v);
  const std::uint32_t rounded = (u + 0x7FFFU + ((u >> 16) & 1U)) >> 16;
  const std::uint32_t quiet = (u >> 16) | 0x40U;
  return {static_cast<std::uint16_t>((u & 0x7FFFFFFFU) > 0x7F800000U ? quiet : rounded)};
}

/// Exact: every binary16 is a float. Shifts exponent and mantissa into place and scales by 2^112, which also normalises
/// subnormals. Infinity and NaN get the float's all-ones exponent. Branch-free.
[[nodiscard]] constexpr float to_float(Half v) {
  const std::uint32_t magnitude = static_cast<std::uint32_t>(v.bits & 0x7FFFU) << 13;
  const auto scaled = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112F);
  const std::uint32_t special = magnitude | 0x7F800000U;
  const std::uint32_t sign = static_cast<std::uint32_t>(v.bits & 0x8000U) << 16;
  return std::bit_cast<float>((magnitude >= 0x0F800000U ? special : scaled) | sign);
}

/// Rounds to nearest, ties to even; overflow gives infinity, NaN stays NaN. Branch-free. Normal numbers are rounded by
/// integer arithmetic on the mantissa, subnormals by the adder: adding 0.5 aligns the last place of the sum with 2^-24,
/// the smallest binary16.
[[nodiscard]] constexpr Half to_half(float v) {
  const auto u = std::bit_cast<std::uint32_t>(v);
  const std::uint32_t magnitude = u & 0x7FFFFFFFU;
  const std::uint32_t normal = (magnitude - 0x38000000U + 0x0FFFU + ((magnitude >> 13) & 1U)) >> 13;
  const std::uint32_t subnormal = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) - 0x3F000000U;
  const std::uint32_t finite = magnitude < 0x38800000U ? subnormal : normal;
  const std::uint32_t bounded = magnitude >= 0x477FF000U ? 0x7C00U : finite;
  const std::uint32_t result = magnitude > 0x7F800000U ? 0x7E00U : bounded;
  return {static_cast<std::uint16_t>(result | ((u >> 16) & 0x8000U))};
}

}  // namespace busbar
