// SPDX-License-Identifier: Apache-2.0
#include "core/job/ranks.hpp"

#include <algorithm>
#include <map>

namespace busbar {

std::vector<std::vector<int>> Ranks::by_host() const {
  std::vector<std::vector<int>> all;
  std::map<int, std::size_t> at;
  for (std::size_t r = 0; r < hosts.size(); ++r) {
    const auto [it, is_new] = at.try_emplace(hosts[r], all.size());
    if (is_new) all.emplace_back();
    all[it->second].push_back(static_cast<int>(r));
  }
  return all;
}

LocalPlace Ranks::place_of(int r) const {
  const int host = hosts[static_cast<std::size_t>(r)];
  return {.place = static_cast<int>(std::count(hosts.begin(), hosts.begin() + r, host)),
          .ranks = static_cast<int>(std::ranges::count(hosts, host))};
}

Ranks Ranks::part(const std::vector<int>& members) const {
  if (members.size() == hosts.size()) return *this;
  Ranks some = *this;
  some.hosts.clear();
  some.clocks.clear();
  some.places.clear();
  some.numbers = members;
  for (const int member : members) {
    const auto r = static_cast<std::size_t>(member);
    some.hosts.push_back(hosts[r]);
    some.clocks.push_back(clock_of_ranks()[r]);
    if (!places.empty()) some.places.push_back(places[r]);
  }
  return some;
}

World world_of(const std::vector<int>& hosts) {
  std::map<int, int> on;
  for (const int node : hosts) ++on[node];
  World world{.ranks = static_cast<int>(hosts.size()), .nodes = static_cast<int>(on.size())};
  if (!on.empty() && std::ranges::all_of(on, [&](const auto& node) { return node.second == on.begin()->second; }))
    world.ranks_per_node = on.begin()->second;
  return world;
}

}  // namespace busbar
