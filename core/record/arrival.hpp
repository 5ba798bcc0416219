// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace busbar {

/// A rank that is last to arrive more often than chance allows (bench/engine/arrival.hpp).
struct LateRank {
  int rank = 0;
  std::string host;
  std::optional<std::string> cpus, device;
  double last_share = 0;  ///< fraction of samples in which it was last, mean over rounds
  double behind_s = 0;    ///< delay after the first rank, median over rounds
};

/// Arrival skew, separate from the transfer that follows. By synchronised clocks; medians over rounds of medians over
/// samples.
struct Arrival {
  double skew_s = 0;      ///< from the first to the last rank's start
  double transfer_s = 0;  ///< from the last rank's start to the last rank's end, one call
  std::vector<LateRank> late;
};

}  // namespace busbar
