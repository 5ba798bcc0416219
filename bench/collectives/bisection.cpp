// SPDX-License-Identifier: Apache-2.0
#include "bench/collectives/blocks.hpp"
#include "bench/collectives/bus_factor.hpp"
#include "core/backend/collective.hpp"

namespace busbar {
namespace {

/// The rank as far behind the middle as this one is behind the first; of an odd number the last stays by itself.
Peers opposite(const Geometry& g) {
  const int half = g.ranks / 2;
  const int other = g.rank < half ? g.rank + half : g.rank < 2 * half ? g.rank - half : g.rank;
  return {.to = other, .from = other};
}

}  // namespace

/// The cut lies between the ranks of the first half and those of the second. Where ranks fill host after host it lies
/// between hosts; it is the narrowest cut of a network only where hosts were allocated in the network's order.
extern const Collective bisection{
    .name = "bisection",
    .about = "ranks of the first half exchange with those of the second, all at once",
    .moves_input = true,
    .movement = Movement::point_to_point,
    .bus_factor = bus_factor::once,
    .layout = [](const Geometry& g) { return Layout{.send = g.count, .recv = g.count}; },
    .result = [](const Geometry& g) { return blocks::one(g, opposite(g).from); },
    .call = "sendrecv",
    .peers = opposite,
};

}  // namespace busbar
