// SPDX-License-Identifier: Apache-2.0
#include "core/job/ranks.hpp"

#include <algorithm>
#include <map>

namespace busbar {

World world_of(const std::vector<int>& hosts) {
  std::map<int, int> on;
  for (const int node : hosts) ++on[node];
  World world{.ranks = static_cast<int>(hosts.size()), .nodes = static_cast<int>(on.size())};
  if (!on.empty() && std::ranges::all_of(on, [&](const auto& node) { return node.second == on.begin()->second; }))
    world.ranks_per_node = on.begin()->second;
  return world;
}

}  // namespace busbar
