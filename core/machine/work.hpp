// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace busbar {

/// A chain of dependent steps. Each takes the same number of cycles, regardless of compiler optimisation.
inline std::uint64_t work(int steps, std::uint64_t state) {
  for (int i = 0; i < steps; ++i) state = state * 6364136223846793005U + 1442695040888963407U;
  return state;
}

/// Keeps the compiler from removing `value` and its computation.
inline void keep(std::uint64_t value) {
  volatile std::uint64_t kept = value;
  (void)kept;
}

}  // namespace busbar
