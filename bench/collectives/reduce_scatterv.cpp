// SPDX-License-Identifier: Apache-2.0
#include "bench/collectives/blocks.hpp"
#include "bench/collectives/bus_factor.hpp"
#include "core/backend/collective.hpp"

namespace busbar {

extern const Collective reduce_scatterv{
    .name = "reduce_scatterv",
    .about = "reduce_scatter with blocks of different sizes (--counts)",
    .family = Family::uneven,
    .sizing = Sizing::by_ranks,
    .reduces = true,
    .bus_factor = bus_factor::all_but_own,
    .uneven_bus_factor = bus_factor::all_but_smallest,
    .layout = blocks::layout_of_own_reduced,
    .result = blocks::own_reduced,
    .call = "reduce_scatterv",
};

}  // namespace busbar
