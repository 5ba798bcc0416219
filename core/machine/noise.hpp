// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

namespace busbar {

/// What the rest of the machine takes from one CPU while this thread wants all of it: interrupts, the scheduler, other
/// processes, the hypervisor.
struct Noise {
  double measured_s = 0;    ///< how long was looked
  double stolen_share = 0;  ///< of that time
  double longest_s = 0;     ///< the longest detour: time that a quantum took above what it takes undisturbed
  std::uint64_t detours = 0;
  double speed_ratio = 1;  ///< fastest to slowest speed over some milliseconds (95th and 5th percentile), 1 or more
};

/// Works for `seconds` in quanta of about 2 us and looks at how long each took: the fixed work quantum benchmark
/// (M. Sottile, R. Minnich: Analysis of Microbenchmarks for Performance Tuning of Clusters, CLUSTER 2004; LLNL's FWQ).
/// Detours shorter than half a quantum are not seen. Takes 8 MB a second. To know what ranks do to each other, all run
/// it at the same time.
[[nodiscard]] Noise measure_noise(double seconds);

/// Noise from the times of quanta that followed each other without a gap. A slower processor (its clock, a neighbour on
/// its core) is not noise: a quantum is held against the median of its block of about 5 ms and those beside it, the
/// slowest of the three, and is a detour where it took more than 1.5 times that; what it took above that is stolen.
[[nodiscard]] Noise analyse_noise(std::span<const double> quanta_s);

}  // namespace busbar
