// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>

namespace busbar {

/// Reads a clock of this rank, in nanoseconds since an arbitrary time.
using LocalClock = std::function<std::int64_t()>;

/// The clock of all measurements, in nanoseconds: std::chrono::steady_clock (Linux: CLOCK_MONOTONIC, one per host). For
/// simulated ranks it is the simulation's clock, common to all.
[[nodiscard]] std::int64_t steady_ns();

/// How a waiting rank treats its CPU.
enum class Waiting {
  spin,   ///< polls
  yield,  ///< yields between two clock reads; the scheduler decides how late it returns
  sleep,  ///< sleeps 0.1 ms at a time: if the next timer is far off, a core sleeps deeper and wakes up late
};

/// Waits for steady_ns() to reach `ns`, but may return early: call it in a loop that reads the clock.
void wait_towards(std::int64_t ns, Waiting how);

/// Seconds since `ns`, an earlier value of steady_ns().
[[nodiscard]] inline double seconds_since(std::int64_t ns) { return static_cast<double>(steady_ns() - ns) * 1e-9; }

}  // namespace busbar
