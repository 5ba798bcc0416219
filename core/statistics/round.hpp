// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <span>

namespace busbar {

/// One visit of a case: a batch of consecutive samples.
struct Round {
  double at_s = 0;  ///< start, since the start of the run
  std::uint64_t samples = 0;
  std::uint64_t kept = 0;           ///< number of samples in the record, in order
  double median_s = 0;              ///< median of its samples
  std::optional<double> mean_s;     ///< wall time divided by samples; empty if samples are not back to back
  std::optional<double> early_s;    ///< median of its first quarter of samples; empty below 8 samples
  std::optional<double> pace_s;     ///< of the slowest CPU, before and after the round (machine/pace.hpp); empty if
                                    ///< unknown
  std::optional<double> barrier_s;  ///< of all ranks, before the round; empty: not settled, or several hosts
  std::optional<bool> contended;    ///< another process used the CPUs meanwhile; empty if unknown
};

/// Time of a case and pace of the CPUs: exponentials of the 20 % trimmed means over rounds of ln(median_s) and
/// ln(pace_s). If a neighbour comes and goes, a median over rounds jumps between two states; trimmed means follow its
/// share of the rounds, and so stay consistent with each other.
struct PacedTime {
  double time_s = 0;
  double pace_s = 0;
};

/// Empty if there are no rounds, or if the pace of one is unknown.
[[nodiscard]] std::optional<PacedTime> paced_time(std::span<const Round>);

}  // namespace busbar
