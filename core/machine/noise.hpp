// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

namespace busbar {

/// OS noise: CPU time that interrupts, the scheduler, other processes or the hypervisor take from a thread that needs
/// its whole CPU.
struct Noise {
  double measured_s = 0;    ///< duration of the measurement
  double stolen_share = 0;  ///< fraction of that time
  double longest_s = 0;     ///< longest detour: time of a quantum beyond its undisturbed time
  std::uint64_t detours = 0;
  double speed_ratio = 1;  ///< fastest to slowest speed over some milliseconds (95th and 5th percentile), at least 1
};

/// Works for `seconds` in quanta of about 2 us and times each: the fixed work quantum benchmark (M. Sottile, R.
/// Minnich: Analysis of Microbenchmarks for Performance Tuning of Clusters, CLUSTER 2004; LLNL's FWQ). Misses detours
/// shorter than half a quantum. Uses 8 MB per second. To include disturbances between ranks, run it on all of them at
/// once.
[[nodiscard]] Noise measure_noise(double seconds);

/// Noise from the times of consecutive quanta. A slower CPU (its clock, a neighbour on its core) is not noise: a
/// quantum is compared with the slowest median of its block of about 5 ms and the two blocks beside it. It is a detour
/// above 1.5 times that; the excess counts as stolen.
[[nodiscard]] Noise analyse_noise(std::span<const double> quanta_s);

}  // namespace busbar
