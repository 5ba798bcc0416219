// SPDX-License-Identifier: Apache-2.0
#include "bench/collectives/blocks.hpp"
#include "bench/collectives/bus_factor.hpp"
#include "core/backend/collective.hpp"

namespace busbar {

extern const Collective allgatherv{
    .name = "allgatherv",
    .about = "allgather with blocks of different sizes (--counts)",
    .family = Family::uneven,
    .sizing = Sizing::by_ranks,
    .bus_factor = bus_factor::all_but_own,
    .uneven_bus_factor = bus_factor::all_but_smallest,
    .layout = blocks::layout_of_gathered,
    .result = [](const Geometry& g) { return blocks::one_from_each(g, 0); },
    .call = "allgatherv",
};

}  // namespace busbar
