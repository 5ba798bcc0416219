// SPDX-License-Identifier: Apache-2.0
#include "bench/collectives/blocks.hpp"
#include "bench/collectives/bus_factor.hpp"
#include "core/collective.hpp"

namespace busbar {

/// Unlike gather, for which a library may choose a tree: here all ranks fill one link at once, whatever the size.
extern const Collective incast{
    .name = "incast",
    .about = "all ranks send to the root at once, by point-to-point messages",
    .sizing = Sizing::by_ranks,
    .rooted = true,
    .bus_factor = bus_factor::all_but_own,
    .layout =
        [](const Geometry& g) {
          if (g.rank != g.root) return Layout{.send = g.count};
          return Layout{.send = g.count, .recv = g.all(), .send_at = g.block(g.root)};
        },
    .result = [](const Geometry& g) { return g.rank == g.root ? blocks::one_from_each(g, 0) : std::vector<Block>{}; },
    .call = &Backend::incast,
};

}  // namespace busbar
