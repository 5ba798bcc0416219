// SPDX-License-Identifier: Apache-2.0
#include "bench/stages/stage.hpp"

#include <algorithm>
#include <numeric>

namespace busbar {

std::vector<int> members_of(std::span<const std::vector<int>> teams) {
  std::vector<int> all;
  for (const auto& team : teams) all.insert(all.end(), team.begin(), team.end());
  std::ranges::sort(all);
  return all;
}

std::optional<std::size_t> team_with(std::span<const std::vector<int>> teams, int rank) {
  for (std::size_t t = 0; t < teams.size(); ++t)
    if (std::ranges::find(teams[t], rank) != teams[t].end()) return t;
  return std::nullopt;
}

Stage world(const Ranks& ranks) {
  std::vector<int> all(ranks.hosts.size());
  std::iota(all.begin(), all.end(), 0);
  return {.name = "world", .teams = {std::move(all)}, .levels = {"world"}};
}

static Stages make_layouts(std::span<const NodesByRanks> layouts, const Ranks& ranks) {
  Stages stages;
  for (const NodesByRanks& layout : layouts)
    stages.all.push_back({.name = to_string(layout), .teams = {ranks_of(layout, ranks.hosts)}, .levels = {"world"}});
  return stages;
}

Stages make_stages(const Scope& scope, const Ranks& ranks) {
  if (!scope.levels.empty()) return make_levels(scope.levels, ranks);
  if (!scope.layouts.empty()) return make_layouts(scope.layouts, ranks);
  if (!scope.splits.empty()) return make_splits(scope.splits, ranks);
  if (scope.pairs != Scope::Between::none) return make_pairs(scope.pairs, scope.turns, ranks);
  return {.all = {world(ranks)}, .notes = {}};
}

}  // namespace busbar
