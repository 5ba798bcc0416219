// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <vector>

#include "core/machine/timer.hpp"
#include "core/record.hpp"

namespace busbar {

/// The ranks' places and their clocks.
struct Ranks {
  std::vector<int> hosts;         ///< host of each rank, as a number from 0
  std::vector<int> cpus;          ///< how many each host has
  std::vector<int> clocks;        ///< that each rank reads, as numbers; empty: its host's
  std::vector<RankPlace> places;  ///< by rank
  Timer timer;                    ///< of this rank's clock
  bool yield = false;             ///< ranks share processors: let others run while waiting
};

/// Ranks and the hosts that they are on.
struct World {
  int ranks = 1;
  int nodes = 1;
  std::optional<int> ranks_per_node;  ///< empty where nodes hold different numbers
};
/// `hosts`: of each rank, as a number.
[[nodiscard]] World world_of(const std::vector<int>& hosts);

}  // namespace busbar
