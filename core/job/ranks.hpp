// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/machine/timer.hpp"
#include "core/ranks/local_place.hpp"
#include "core/record/rank_place.hpp"

namespace busbar {

/// The ranks' places and their clocks.
struct Ranks {
  std::vector<int> hosts;          ///< host of each rank, as a number from 0
  std::vector<std::string> names;  ///< of hosts, by number
  std::vector<int> cpus;           ///< how many each host has
  std::vector<int> clocks;         ///< that each rank reads, as numbers; empty: its host's
  std::vector<RankPlace> places;   ///< by rank
  std::vector<int> numbers;        ///< of these ranks in the job; empty: 0, 1, ...
  Timer timer;                     ///< of this rank's clock
  bool yield = false;              ///< ranks share processors: let others run while waiting

  /// The clock that each rank reads, as a number.
  [[nodiscard]] const std::vector<int>& clock_of_ranks() const { return clocks.empty() ? hosts : clocks; }
  /// The number in the job of rank `r` of these.
  [[nodiscard]] int in_job(std::size_t r) const { return numbers.empty() ? static_cast<int>(r) : numbers[r]; }
  /// Of rank `r` of these among those of its host.
  [[nodiscard]] LocalPlace place_of(int r) const;
  /// The ranks of each host, in the order of their first ones.
  [[nodiscard]] std::vector<std::vector<int>> by_host() const;
  /// The same of some ranks only, in the order in which they are given; hosts keep their numbers. Not of a part of a
  /// part.
  [[nodiscard]] Ranks part(const std::vector<int>& members) const;
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
