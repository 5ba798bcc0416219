// SPDX-License-Identifier: Apache-2.0
#include "bench/collectives/blocks.hpp"
#include "bench/collectives/bus_factor.hpp"
#include "core/backend/collective.hpp"

namespace busbar {

extern const Collective reduce{
    .name = "reduce",
    .about = "the root gets the reduction of all ranks' buffers",
    .reduces = true,
    .rooted = true,
    .movement = Movement::ring,
    .bus_factor = bus_factor::once,
    .layout = [](const Geometry& g) { return Layout{.send = g.count, .recv = g.rank == g.root ? g.count : 0}; },
    .result =
        [](const Geometry& g) { return g.rank == g.root ? blocks::one(g, Block::reduced) : std::vector<Block>{}; },
    .call = "reduce",
};

}  // namespace busbar
