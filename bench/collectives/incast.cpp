// SPDX-License-Identifier: Apache-2.0
#include "bench/collectives/blocks.hpp"
#include "bench/collectives/bus_factor.hpp"
#include "core/backend/collective.hpp"

namespace busbar {

/// Unlike gather, which a library may implement by a tree: all ranks fill one link at once, at any size.
extern const Collective incast{
    .name = "incast",
    .about = "all ranks send to the root at once, by point-to-point messages",
    .sizing = Sizing::by_ranks,
    .rooted = true,
    .movement = Movement::point_to_point,
    .bus_factor = bus_factor::all_but_own,
    .layout = blocks::layout_at_root,
    .result = blocks::at_root,
    .call = "incast",
};

}  // namespace busbar
