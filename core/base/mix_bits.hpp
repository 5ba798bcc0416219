// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace busbar {

/// Step of a counter whose values mix_bits() turns into pseudo-random numbers.
inline constexpr std::uint64_t mix_step = 0x9E3779B97F4A7C15U;

/// 64 pseudo-random bits from a number, the same on all hosts (splitmix64: G. Steele, D. Lea, C. Flood, OOPSLA 2014).
[[nodiscard]] constexpr std::uint64_t mix_bits(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

}  // namespace busbar
