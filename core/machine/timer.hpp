// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

namespace busbar {

/// Properties of the clock for samples, steady_ns().
struct Timer {
  double resolution_s = 0;  ///< step of its values, which can exceed their unit (10 ns on AMD Zen)
  double cost_s = 0;        ///< of one read: the median over blocks of reads
};

/// Measures the clock for some milliseconds.
[[nodiscard]] Timer measure_timer();

/// Step of a clock, in the unit of `reads`, from consecutive reads. Differences of successive reads form clusters one
/// step apart, smeared over two values if the step is not an integer, over three while the kernel adjusts the clock's
/// rate. The step is the smallest distance between two clusters, with 0 as one. Rare differences (fewer than 1 in 1000)
/// are interruptions and ignored. 0 if no step was found.
[[nodiscard]] double step_of(std::span<const std::int64_t> reads);

}  // namespace busbar
