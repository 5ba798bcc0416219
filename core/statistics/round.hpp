// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <span>

namespace busbar {

/// One visit of a case: a batch of samples, taken back to back.
struct Round {
  double at_s = 0;  ///< its start, since the start of the run
  std::uint64_t samples = 0;
  std::uint64_t kept = 0;         ///< how many of them are in the record, in order
  double median_s = 0;            ///< of its samples
  std::optional<double> mean_s;   ///< wall time over samples; empty where samples do not follow each other at once
  std::optional<double> early_s;  ///< median of the first quarter of its samples; empty below 8 samples
  std::optional<double> pace_s;   ///< of the slowest CPU before and behind it (machine/pace.hpp); empty: not known
  std::optional<bool> contended;  ///< something else had the processors meanwhile; empty: not known
};

/// What a case took, and the pace of the CPUs meanwhile: 20 % trimmed means over rounds of the logarithms of median_s
/// and of pace_s. Where a neighbour comes and goes, a median of rounds jumps from one state to the other; these follow
/// the share of the rounds that it was there, and so each other.
struct PacedTime {
  double time_s = 0;
  double pace_s = 0;
};

/// Empty where there is no round, or one that does not know its pace.
[[nodiscard]] std::optional<PacedTime> paced_time(std::span<const Round>);

}  // namespace busbar
