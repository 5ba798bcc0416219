// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace busbar {

/// A rank that starts last more often than chance allows (bench/engine/arrival.hpp).
struct LateRank {
  int rank = 0;
  std::string host;
  std::optional<std::string> cpus, device;
  double last_share = 0;  ///< of the samples it started last, mean over rounds
  double behind_s = 0;    ///< behind the first rank, median over rounds
};

/// How ranks came to the calls, apart from how long the transfer then took. By synchronised clocks; medians over rounds
/// of medians over samples.
struct Arrival {
  double skew_s = 0;      ///< from the first rank's start to the last one's
  double transfer_s = 0;  ///< from the last rank's start to the last one's end, one call
  std::vector<LateRank> late;
};

}  // namespace busbar
