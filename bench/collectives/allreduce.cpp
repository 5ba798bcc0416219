// SPDX-License-Identifier: Apache-2.0
#include "bench/collectives/blocks.hpp"
#include "bench/collectives/bus_factor.hpp"
#include "core/backend/collective.hpp"

namespace busbar {

extern const Collective allreduce{
    .name = "allreduce",
    .about = "every rank gets the reduction of all ranks' buffers",
    .reduces = true,
    .movement = Movement::ring,
    .bus_factor = bus_factor::twice_all_but_own,
    .layout = [](const Geometry& g) { return Layout{.send = g.count, .recv = g.count}; },
    .result = [](const Geometry& g) { return blocks::one(g, Block::reduced); },
    .call = "allreduce",
};

}  // namespace busbar
