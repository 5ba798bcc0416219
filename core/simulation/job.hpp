// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/record/simulation.hpp"
#include "core/simulation/board.hpp"
#include "core/simulation/memory.hpp"

namespace busbar {

/// A job that is simulated: all its ranks are actors of one process.
struct SimulatedJob {
  Simulation facts;
  std::vector<std::string> words;  ///< of the command line that are the simulator's
  int ranks = 0;
  int exit_code = 0;  ///< the largest that a rank ended with
  SharedPages pages;
  /// Of each group of ranks (their numbers in the job), by how many such groups they made before.
  std::map<std::pair<std::vector<int>, int>, std::shared_ptr<Board>> boards;
};

/// One of its ranks, for as long as its actor lives.
struct SimulatedRank {
  SimulatedJob& job;
  int rank = 0;
  std::string node;  ///< that its host is a part of
  std::map<std::vector<int>, int> groups_made;
};

/// Of the actor that asks.
[[nodiscard]] SimulatedRank& this_rank();

}  // namespace busbar
