// SPDX-License-Identifier: Apache-2.0
#include "core/job/ranks.hpp"

#include <algorithm>
#include <set>

namespace busbar {

World world_of(const std::vector<int>& hosts) {
  const std::set<int> nodes(hosts.begin(), hosts.end());
  World world{.ranks = static_cast<int>(hosts.size()), .nodes = static_cast<int>(nodes.size())};
  const auto on = [&](int node) { return std::ranges::count(hosts, node); };
  if (std::ranges::all_of(nodes, [&](int node) { return on(node) == on(hosts[0]); }))
    world.ranks_per_node = static_cast<int>(on(hosts[0]));
  return world;
}

}  // namespace busbar
