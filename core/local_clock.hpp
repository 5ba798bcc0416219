// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>

namespace busbar {

/// Reads a clock of this rank: nanoseconds since whenever it began.
using LocalClock = std::function<std::int64_t()>;

/// The clock of all measurements: nanoseconds of std::chrono::steady_clock (Linux: CLOCK_MONOTONIC, one a host).
[[nodiscard]] inline std::int64_t steady_ns() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// `ns`: an earlier reading of steady_ns().
[[nodiscard]] inline double seconds_since(std::int64_t ns) { return static_cast<double>(steady_ns() - ns) * 1e-9; }

}  // namespace busbar
