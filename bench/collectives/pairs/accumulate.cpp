// SPDX-License-Identifier: Apache-2.0
#include "bench/collectives/bus_factor.hpp"
#include "bench/collectives/halves.hpp"
#include "core/backend/collective.hpp"

namespace busbar {

/// One buffer per rank: the peer's own data, to which the data of the first is added.
extern const Collective accumulate{
    .name = "accumulate",
    .about = "reduce into the peer's memory, then flush; time per access (osu_acc_latency)",
    .family = Family::one_sided,
    .window = 1,
    .parts = halves::each_message,
    .reduces = true,
    .out_of_place = false,
    .movement = Movement::point_to_point,
    .bus_factor = bus_factor::once,
    .layout =
        [](const Geometry& g) {
          const std::size_t own = halves::is_first(g) || halves::is_second(g) ? g.messages() : 0;
          return Layout{.send = own, .recv = halves::is_second(g) ? own : 0};
        },
    .result = [](const Geometry& g) -> std::vector<Block> {
      if (!halves::is_second(g)) return {};
      return {{.at = 0, .count = g.messages(), .source = Block::reduced, .from = 0}};
    },
    .call = "accumulate",
    .peers = halves::opposite,
};

}  // namespace busbar
