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

}  // namespace busbar
