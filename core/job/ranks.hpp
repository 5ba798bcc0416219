// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/machine/timer.hpp"
#include "core/ranks/local_place.hpp"
#include "core/record/rank_place.hpp"

namespace busbar {

/// Places and clocks of the ranks.
struct Ranks {
  std::vector<int> hosts;          ///< host of each rank, numbered from 0
  std::vector<std::string> names;  ///< of hosts, by number
  std::vector<int> cpus;           ///< number of CPUs of each host
  std::vector<int> clocks;         ///< clock of each rank, as a number; empty: its host's
  std::vector<RankPlace> places;   ///< by rank
  std::vector<int> numbers;        ///< rank of each in the job; empty: 0, 1, ...
  Timer timer;                     ///< of this rank's clock
  bool yield = false;              ///< ranks share CPUs: yield while waiting

  /// The clock of each rank, as a number.
  [[nodiscard]] const std::vector<int>& clock_of_ranks() const { return clocks.empty() ? hosts : clocks; }
  /// The rank in the job of rank `r`.
  [[nodiscard]] int in_job(std::size_t r) const { return numbers.empty() ? static_cast<int>(r) : numbers[r]; }
  /// Place of rank `r` among the ranks of its host.
  [[nodiscard]] LocalPlace place_of(int r) const;
  /// The ranks of each host, ordered by first rank.
  [[nodiscard]] std::vector<std::vector<int>> by_host() const;
  /// The same for some ranks, in the given order; hosts keep their numbers. Call it only on the whole job.
  [[nodiscard]] Ranks part(const std::vector<int>& members) const;
};

/// Number of ranks and hosts.
struct World {
  int ranks = 1;
  int nodes = 1;                      ///< 0: differs between the teams that this describes
  std::optional<int> ranks_per_node;  ///< empty if it differs between nodes
};
/// `hosts`: host number of each rank.
[[nodiscard]] World world_of(const std::vector<int>& hosts);

}  // namespace busbar
