// SPDX-License-Identifier: Apache-2.0
#include "bench/collectives/blocks.hpp"
#include "bench/collectives/bus_factor.hpp"
#include "core/backend/collective.hpp"

namespace busbar {

extern const Collective gather{
    .name = "gather",
    .about = "the root gets the blocks of all ranks",
    .sizing = Sizing::by_ranks,
    .rooted = true,
    .movement = Movement::point_to_point,
    .bus_factor = bus_factor::all_but_own,
    .layout = blocks::layout_at_root,
    .result = blocks::at_root,
    .call = "gather",
};

}  // namespace busbar
