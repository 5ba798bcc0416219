// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <vector>

#include <simgrid/s4u.hpp>
#include <smpi/smpi.h>

#include "core/simulation/options.hpp"

namespace busbar {

/// A host of the platform and the node that it is a part of: what it says as its property busbar.node, else itself.
struct RankHost {
  simgrid::s4u::Host* host = nullptr;
  std::string node;
};

struct Platform {
  std::string file, sha256;
  std::map<std::string, std::string> words;  ///< properties of its outermost zone that are called busbar.*
  std::vector<RankHost> hosts;               ///< in the order of their names, n2 before n10
};

/// Throws UsageError with one line that names the file and what is wrong with it. Where SimGrid ends the process
/// instead of throwing, its line is shown, after `program` and the file, and the process ends with exit code 2.
[[nodiscard]] Platform load_platform(simgrid::s4u::Engine& engine, const std::string& file, const std::string& program);

/// The hosts of the ranks, in their order. Throws UsageError where there are not enough.
[[nodiscard]] std::vector<RankHost> place_ranks(const Platform& platform, const SimulationOptions& options);

}  // namespace busbar
