// SPDX-License-Identifier: Apache-2.0
#include "bench/collectives/blocks.hpp"
#include "bench/collectives/bus_factor.hpp"
#include "core/backend/collective.hpp"

namespace busbar {

extern const Collective gatherv{
    .name = "gatherv",
    .about = "gather with blocks of different sizes (--counts)",
    .family = Family::uneven,
    .sizing = Sizing::by_ranks,
    .rooted = true,
    .bus_factor = bus_factor::all_but_own,
    .uneven_bus_factor = bus_factor::all_but_root,
    .layout = blocks::layout_at_root,
    .result = blocks::at_root,
    .call = "gatherv",
};

}  // namespace busbar
