// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

namespace busbar {

/// The clock that samples are taken with, std::chrono::steady_clock.
struct Timer {
  double resolution_s = 0;  ///< the step of its values, which can be larger than their unit (10 ns on AMD Zen)
  double cost_s = 0;        ///< one read: the median over blocks of reads
};

/// Reads the clock for some milliseconds.
[[nodiscard]] Timer measure_timer();

/// The step on whose multiples the values of a clock lie, in the unit of `reads`, from reads in the order they were
/// taken. Differences of neighbours come in groups one step apart, smeared by one unit where the step is no whole
/// number of them: the step is the least distance of two groups, 0 counting as one group. Rare differences (less than 1
/// in 1000) are interruptions and do not count. 0 where no step was seen.
[[nodiscard]] double step_of(std::span<const std::int64_t> reads);

}  // namespace busbar
