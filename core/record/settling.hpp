// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>

namespace busbar {

/// To the usual barrier: one that took longer was between ranks on distant CPUs. States of virtual CPUs differ by 1.4
/// and by 3 (docs/method.md).
inline constexpr double far_ratio = 1.8;

/// How the ranks of each host were brought near each other, by waking one another, and whether they stayed there.
/// Barriers are of all ranks.
struct Settling {
  double first_barrier_s = 0;             ///< what a barrier took before
  double best_barrier_s = 0;              ///< the least that one took at any look
  std::optional<double> usual_barrier_s;  ///< lower quartile over all looks; empty in records before 0.2
  double seconds = 0;                     ///< wall time that went into it, all times together
  int times = 0;                          ///< how often, the first before the first round
  std::uint64_t wakes = 0;  ///< that reached rank 0; 0 where it is alone on its host, or where none arrive
  std::uint64_t looks = 0;  ///< at a barrier: one after each round
  std::uint64_t far = 0;    ///< looks at which it took much longer than usual
  bool gave_up = false;     ///< it was left alone after it had not helped
};

}  // namespace busbar
