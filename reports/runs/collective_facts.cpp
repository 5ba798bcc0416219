// SPDX-License-Identifier: Apache-2.0
#include "reports/runs/collective_facts.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "bench/collectives/bus_factor.hpp"
#include "core/base/table.hpp"

namespace busbar {
namespace {

/// Measured by other tools only.
constexpr std::array imported_only{
    CollectiveFacts{.name = "hypercube", .bus_factor = bus_factor::once},
};

CollectiveFacts facts_of(const Collective& c) {
  return {.name = c.name,
          .alias = c.alias,
          .bus_factor = c.bus_factor,
          .movement = c.movement,
          .moves_data = c.sizing != Sizing::none,
          .reduces = c.reduces,
          .one_size = c.sizing == Sizing::whole,
          .uneven = c.uneven(),
          .between_pairs = c.between_pairs(),
          .symmetric = !c.rooted && c.peers == nullptr && !c.uneven()};
}

std::vector<CollectiveFacts> make_facts() {
  std::vector<CollectiveFacts> all;
  for (const Collective* const c : table<Collective>()) all.push_back(facts_of(*c));
  all.insert(all.end(), imported_only.begin(), imported_only.end());
  return all;
}

}  // namespace

std::span<const CollectiveFacts> all_collective_facts() {
  static const std::vector<CollectiveFacts> all = make_facts();
  return all;
}

const CollectiveFacts* collective_facts(std::string_view name) {
  const auto all = all_collective_facts();
  const auto found = std::ranges::find(all, name, &CollectiveFacts::name);
  return found == all.end() ? nullptr : &*found;
}

double bus_factor_of(std::string_view collective, int ranks) {
  const CollectiveFacts* const facts = collective_facts(collective);
  return facts == nullptr ? 1 : facts->bus_factor(ranks);
}

}  // namespace busbar
