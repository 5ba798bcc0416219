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

/// A simulated job. All its ranks are actors of one process.
struct SimulatedJob {
  Simulation facts;
  std::vector<std::string> words;  ///< the simulator's own part of the command line
  int ranks = 0;
  int exit_code = 0;  ///< largest exit code of a rank
  SharedPages pages;
  std::vector<int> processes;  ///< SimGrid's process id of each rank
  /// Key: world ranks of a group, and how many such groups they created before.
  std::map<std::pair<std::vector<int>, int>, std::shared_ptr<Board>> boards;
};

/// State of a rank while SMPI finds out which ranks share a host (nodes.cpp).
struct NodeQuestions {
  int depth = 0;      ///< calls of Comm::init_smp() under way
  int exchanges = 0;  ///< answered in them
};

/// One rank, during the lifetime of its actor.
struct SimulatedRank {
  SimulatedJob& job;
  int rank = 0;
  std::string node;  ///< the node of its host
  std::map<std::vector<int>, int> groups_made;
  NodeQuestions questions;
};

/// The rank of the calling actor.
[[nodiscard]] SimulatedRank& this_rank();

}  // namespace busbar
