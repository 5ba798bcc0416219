// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

/// The loop behind measure_peak(), compiled once for each set of instructions.
namespace busbar::peak {

/// `rounds` times `chains` multiply-adds of vectors that do not wait for each other; gives what they come to, so that
/// none can be left out. Chains: as many as it takes to fill the latency of the units (4 cycles x 2 units), and as fit
/// into registers.
template <class Vector, std::size_t chains>
float multiply_add(std::int64_t rounds) {
  std::array<Vector, chains> sums{};
  for (std::size_t i = 0; i < chains; ++i) sums[i] = Vector{} + 1.0F + static_cast<float>(i);
  const volatile float unknown = 0.999F;  // to the compiler, which would compute the sums otherwise
  const Vector factor = Vector{} + unknown, summand = Vector{} + (1 - unknown);
  for (std::int64_t r = 0; r < rounds; ++r) {
#pragma GCC unroll 32
    for (std::size_t i = 0; i < chains; ++i) sums[i] = sums[i] * factor + summand;
  }
  Vector all{};
  for (const Vector& v : sums) all += v;
  return all[0];
}

/// A way to compute, and how many floating-point operations one round of it is.
struct Kernel {
  const char* instructions;
  float (*run)(std::int64_t rounds);
  double flop_per_round;
};

template <std::size_t bytes, std::size_t chains>
Kernel kernel(const char* instructions) {
  using Vector [[gnu::vector_size(bytes)]] = float;
  return {instructions, &multiply_add<Vector, chains>, 2.0 * chains * bytes / sizeof(float)};
}

// One a file, each compiled for its instructions.
[[nodiscard]] Kernel avx512();
[[nodiscard]] Kernel avx2();
[[nodiscard]] Kernel portable();

/// The widest that this CPU has.
[[nodiscard]] Kernel best();

}  // namespace busbar::peak
