// SPDX-License-Identifier: Apache-2.0
#include "bench/collectives/blocks.hpp"
#include "bench/collectives/bus_factor.hpp"
#include "core/backend/collective.hpp"

namespace busbar {

extern const Collective allgather{
    .name = "allgather",
    .about = "every rank gets the blocks of all ranks",
    .sizing = Sizing::by_ranks,
    .movement = Movement::ring,
    .bus_factor = bus_factor::all_but_own,
    .layout = blocks::layout_of_gathered,
    .result = [](const Geometry& g) { return blocks::one_from_each(g, 0); },
    .call = "allgather",
};

}  // namespace busbar
