// SPDX-License-Identifier: Apache-2.0
#include "bench/collectives/blocks.hpp"
#include "bench/collectives/bus_factor.hpp"
#include "core/backend/collective.hpp"

namespace busbar {

extern const Collective scatter{
    .name = "scatter",
    .about = "rank r gets block r of the root's buffer",
    .sizing = Sizing::by_ranks,
    .rooted = true,
    .movement = Movement::point_to_point,
    .bus_factor = bus_factor::all_but_own,
    .layout = blocks::layout_from_root,
    .result = blocks::own_from_root,
    .call = "scatter",
};

}  // namespace busbar
