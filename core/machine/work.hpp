// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace busbar {

/// Steps that wait for each other, so that each takes the same number of cycles whatever the compiler does.
inline std::uint64_t work(int steps, std::uint64_t state) {
  for (int i = 0; i < steps; ++i) state = state * 6364136223846793005U + 1442695040888963407U;
  return state;
}

/// Keeps a value, and so the work that it came from.
inline void keep(std::uint64_t value) {
  volatile std::uint64_t kept = value;
  (void)kept;
}

}  // namespace busbar
