// SPDX-License-Identifier: Apache-2.0
#include "bench/stages/stage.hpp"

#include <numeric>

namespace busbar {

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
