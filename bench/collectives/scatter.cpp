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
    .layout =
        [](const Geometry& g) {
          if (g.rank != g.root) return Layout{.recv = g.count};
          return Layout{.send = g.all(), .recv = g.count, .recv_at = g.block(g.root)};
        },
    .result = [](const Geometry& g) { return blocks::one(g, g.root, g.block(g.rank)); },
    .call = "scatter",
};

}  // namespace busbar
