// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>

namespace busbar {

/// Settling: moves the ranks of each host to nearby CPUs by letting them wake one another. Barriers span all ranks.
struct Settling {
  double first_barrier_s = 0;             ///< barrier time before settling
  double best_barrier_s = 0;              ///< shortest barrier at any check
  std::optional<double> usual_barrier_s;  ///< lower quartile over all checks; empty in records before 0.2
  std::optional<double> known_barrier_s;  ///< on near CPUs, by earlier launches; empty: no such launch
  double seconds = 0;                     ///< total wall time of settling
  int times = 0;                          ///< number of settlings
  std::uint64_t wakes = 0;                ///< received by rank 0; 0 if it is alone on its host, or if none arrive
  std::uint64_t looks = 0;                ///< checks of a barrier, one after each round
  std::uint64_t far = 0;                  ///< checks with a barrier far slower than usual
  bool gave_up = false;                   ///< stopped because it did not help
  bool near_at_start = false;             ///< barriers took what is usual in earlier launches: nothing to settle
};

}  // namespace busbar
