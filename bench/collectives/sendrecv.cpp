// SPDX-License-Identifier: Apache-2.0
#include "bench/collectives/blocks.hpp"
#include "bench/collectives/bus_factor.hpp"
#include "core/backend/collective.hpp"

namespace busbar {
namespace {

Peers neighbours(const Geometry& g) { return {.to = (g.rank + 1) % g.ranks, .from = (g.rank + g.ranks - 1) % g.ranks}; }

}  // namespace

extern const Collective sendrecv{
    .name = "sendrecv",
    .about = "a ring: every rank sends to the next and receives from the one before",
    .moves_input = true,
    .movement = Movement::point_to_point,
    .bus_factor = bus_factor::once,
    .layout = [](const Geometry& g) { return Layout{.send = g.count, .recv = g.count}; },
    .result = [](const Geometry& g) { return blocks::one(g, neighbours(g).from); },
    .call = "sendrecv",
    .peers = neighbours,
};

}  // namespace busbar
