// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <vector>

#include <simgrid/s4u.hpp>
#include <smpi/smpi.h>

#include "core/simulation/options.hpp"

namespace busbar {

/// A host of the platform and its node: the property busbar.node if set, else the host itself.
struct RankHost {
  simgrid::s4u::Host* host = nullptr;
  std::string node;
};

struct Platform {
  std::string file, sha256;
  std::map<std::string, std::string> words;  ///< properties busbar.* of the outermost zone
  std::vector<RankHost> hosts;               ///< sorted by name, n2 before n10
};

/// Throws UsageError, one line with the file and the error. If SimGrid aborts instead, prints its message after
/// `program` and the file, and exits with code 2.
[[nodiscard]] Platform load_platform(simgrid::s4u::Engine& engine, const std::string& file, const std::string& program);

/// The host of each rank, by rank. Throws UsageError if there are too few.
[[nodiscard]] std::vector<RankHost> place_ranks(const Platform& platform, const SimulationOptions& options);

}  // namespace busbar
