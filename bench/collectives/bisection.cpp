// SPDX-License-Identifier: Apache-2.0
#include "bench/collectives/blocks.hpp"
#include "bench/collectives/bus_factor.hpp"
#include "core/backend/collective.hpp"

namespace busbar {
namespace {

/// Pairs rank i of the first half with rank i of the second. With an odd number of ranks, the last is its own peer.
Peers opposite(const Geometry& g) {
  const int half = g.ranks / 2;
  const int other = g.rank < half ? g.rank + half : g.rank < 2 * half ? g.rank - half : g.rank;
  return {.to = other, .from = other};
}

}  // namespace

/// The cut separates the first half of the ranks from the second. If ranks fill hosts in order, it is between hosts; it
/// is the network's narrowest cut only if hosts were allocated in network order.
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
