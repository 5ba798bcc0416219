// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "workloads/peak/instructions.hpp"

/// The fp32 loop of measure_peaks(), compiled once per instruction set.
namespace busbar::peak {

/// Runs `rounds` times `chains` independent vector multiply-adds: enough chains to hide the latency of the units (4
/// cycles x 2 units), and few enough to fit into registers.
template <class Vector, std::size_t chains>
float multiply_add(std::int64_t rounds) {
  std::array<Vector, chains> sums{};
  for (std::size_t i = 0; i < chains; ++i) sums[i] = Vector{} + 1.0F + static_cast<float>(i);
  const volatile float unknown = 0.999F;  // prevents constant folding of the sums
  const Vector factor = Vector{} + unknown, summand = Vector{} + (1 - unknown);
  for (std::int64_t r = 0; r < rounds; ++r) {
#pragma GCC unroll 32
    for (std::size_t i = 0; i < chains; ++i) sums[i] = sums[i] * factor + summand;
  }
  Vector all{};
  for (const Vector& v : sums) all += v;
  return all[0];
}

/// The table row for fp32 vectors of `bytes` bytes.
template <std::size_t bytes, std::size_t chains>
constexpr Instructions fp32_loop(std::string_view name, Feature feature) {
  using Vector [[gnu::vector_size(bytes)]] = float;
  return {.name = name,
          .type = DType::f32,
          .feature = feature,
          .run = &multiply_add<Vector, chains>,
          .flop_per_round = 2.0 * chains * bytes / sizeof(float)};
}

}  // namespace busbar::peak
