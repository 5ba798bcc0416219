// SPDX-License-Identifier: Apache-2.0
#include "reports/runs/collective_facts.hpp"

#include <algorithm>
#include <array>

namespace busbar {
namespace {

using enum BusFactor;
using enum Movement;

constexpr std::array rows{
    CollectiveFacts{
        .name = "allreduce", .bus_factor = double_share, .movement = ring, .one_size = true, .symmetric = true},
    CollectiveFacts{.name = "allgather", .bus_factor = share, .movement = ring, .symmetric = true},
    CollectiveFacts{.name = "broadcast", .alias = "bcast", .movement = ring, .one_size = true},
    CollectiveFacts{.name = "reduce_scatter", .bus_factor = share, .movement = ring, .symmetric = true},
    CollectiveFacts{
        .name = "alltoall", .alias = "all2all", .bus_factor = share, .movement = point_to_point, .symmetric = true},
    CollectiveFacts{.name = "alltoallv", .alias = "all2allv", .bus_factor = share},
    CollectiveFacts{.name = "reduce", .movement = ring, .one_size = true},
    CollectiveFacts{.name = "gather", .bus_factor = share, .movement = point_to_point},
    CollectiveFacts{.name = "scatter", .bus_factor = share, .movement = point_to_point},
    CollectiveFacts{.name = "sendrecv", .movement = point_to_point, .one_size = true},
    CollectiveFacts{.name = "bisection", .movement = point_to_point, .one_size = true},
    CollectiveFacts{.name = "incast", .bus_factor = share, .movement = point_to_point},
    CollectiveFacts{.name = "hypercube"},
    CollectiveFacts{.name = "barrier", .moves_data = false, .symmetric = true},
};

}  // namespace

std::span<const CollectiveFacts> all_collective_facts() { return rows; }

const CollectiveFacts* collective_facts(std::string_view name) {
  const auto* const row = std::ranges::find(rows, name, &CollectiveFacts::name);
  return row == rows.end() ? nullptr : row;
}

double bus_factor(const CollectiveFacts& facts, int ranks) {
  const double others = static_cast<double>(ranks - 1) / ranks;
  switch (facts.bus_factor) {
    case one:
      return 1;
    case share:
      return others;
    case double_share:
      return 2 * others;
  }
  return 1;
}

double bus_factor(std::string_view collective, int ranks) {
  const CollectiveFacts* const facts = collective_facts(collective);
  return facts == nullptr ? 1 : bus_factor(*facts, ranks);
}

}  // namespace busbar
