// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>

namespace busbar {

/// Reads a clock of this rank: nanoseconds since whenever it began.
using LocalClock = std::function<std::int64_t()>;

/// The clock of all measurements: nanoseconds of std::chrono::steady_clock (Linux: CLOCK_MONOTONIC, one a host); of a
/// simulated rank those of the simulation, one for all.
[[nodiscard]] std::int64_t steady_ns();

/// What a rank does with its CPU while it waits.
enum class Waiting {
  spin,   ///< keeps it
  yield,  ///< lets others have it between two looks at the clock, and then comes back as late as the scheduler likes
  sleep,  ///< sleeps, 0.1 ms at a time: a core whose next timer is far off sleeps deeper, and wakes later, than it may
};

/// Waits for steady_ns() to show `ns`, but may come back before: for a loop that looks at the clock.
void wait_towards(std::int64_t ns, Waiting how);

/// `ns`: an earlier reading of steady_ns().
[[nodiscard]] inline double seconds_since(std::int64_t ns) { return static_cast<double>(steady_ns() - ns) * 1e-9; }

}  // namespace busbar
