// SPDX-License-Identifier: Apache-2.0
#include "bench/collectives/blocks.hpp"
#include "bench/collectives/bus_factor.hpp"
#include "core/backend/collective.hpp"

namespace busbar {

namespace {

/// A rank sends g.count elements; what it receives depends on the others.
Layout buffers_of_alltoallv(const Geometry& g) {
  return {.send = g.count, .recv = g.shares->received_before(g.ranks, g.rank, g.count)};
}

std::vector<Block> blocks_of_alltoallv(const Geometry& g) {
  std::vector<Block> all;
  std::size_t at = 0;
  for (int r = 0; r < g.ranks; ++r) {
    const std::size_t count = g.shares->count(r, g.rank, g.count);
    all.push_back({.at = at, .count = count, .source = r, .from = g.shares->start(r, g.rank, g.count)});
    at += count;
  }
  return all;
}

double busiest_of_alltoallv(const Geometry& g) {
  std::size_t most = 0;
  for (int r = 0; r < g.ranks; ++r) {
    const std::size_t own = g.shares->count(r, r, g.count);
    most = std::max({most, g.count - own, g.shares->received_before(g.ranks, r, g.count) - own});
  }
  return bus_factor::of_elements(most, g);
}

}  // namespace

extern const Collective alltoallv{
    .name = "alltoallv",
    .alias = "all2allv",
    .about = "alltoall with blocks of different sizes (--counts); every rank sends as much",
    .family = Family::uneven,
    .sizing = Sizing::by_ranks,
    .in_place = false,
    .bus_factor = bus_factor::all_but_own,
    .uneven_bus_factor = busiest_of_alltoallv,
    .layout = buffers_of_alltoallv,
    .result = blocks_of_alltoallv,
    .call = "alltoallv",
};

}  // namespace busbar
