// SPDX-License-Identifier: Apache-2.0
#include "bench/collectives/blocks.hpp"
#include "bench/collectives/bus_factor.hpp"
#include "core/backend/collective.hpp"

namespace busbar {

extern const Collective alltoall{
    .name = "alltoall",
    .alias = "all2all",
    .about = "rank r gets block r of every rank",
    .sizing = Sizing::by_ranks,
    .moves_input = true,
    .movement = Movement::point_to_point,
    .bus_factor = bus_factor::all_but_own,
    .layout = [](const Geometry& g) { return Layout{.send = g.all(), .recv = g.all()}; },
    .result = [](const Geometry& g) { return blocks::one_from_each(g, g.block(g.rank)); },
    .call = "alltoall",
};

}  // namespace busbar
