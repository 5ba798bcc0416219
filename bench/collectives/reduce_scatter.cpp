// SPDX-License-Identifier: Apache-2.0
#include "bench/collectives/blocks.hpp"
#include "bench/collectives/bus_factor.hpp"
#include "core/backend/collective.hpp"

namespace busbar {

extern const Collective reduce_scatter{
    .name = "reduce_scatter",
    .about = "rank r gets block r of the reduction of all ranks' buffers",
    .sizing = Sizing::by_ranks,
    .reduces = true,
    .movement = Movement::ring,
    .bus_factor = bus_factor::all_but_own,
    .layout = blocks::layout_of_own_reduced,
    .result = blocks::own_reduced,
    .call = "reduce_scatter",
};

}  // namespace busbar
