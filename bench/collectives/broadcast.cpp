// SPDX-License-Identifier: Apache-2.0
#include "bench/collectives/blocks.hpp"
#include "bench/collectives/bus_factor.hpp"
#include "core/backend/collective.hpp"

namespace busbar {

extern const Collective broadcast{
    .name = "broadcast",
    .alias = "bcast",
    .about = "every rank gets the root's buffer (one buffer a rank: always in place)",
    .rooted = true,
    .out_of_place = false,
    .movement = Movement::ring,
    .bus_factor = bus_factor::once,
    .layout = [](const Geometry& g) { return Layout{.send = g.rank == g.root ? g.count : 0, .recv = g.count}; },
    .result = [](const Geometry& g) { return blocks::one(g, g.root); },
    .call = "broadcast",
};

}  // namespace busbar
