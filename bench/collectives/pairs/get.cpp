// SPDX-License-Identifier: Apache-2.0
#include "bench/collectives/bus_factor.hpp"
#include "bench/collectives/halves.hpp"
#include "core/backend/collective.hpp"

namespace busbar {

extern const Collective get{
    .name = "get",
    .about = "read the peer's memory, then flush; time per access (osu_get_latency, osu_get_bw)",
    .family = Family::one_sided,
    .window = 1,
    .parts = halves::each_message,
    .in_place = false,
    .movement = Movement::point_to_point,
    .bus_factor = bus_factor::once,
    .layout =
        [](const Geometry& g) {
          return Layout{.send = halves::is_second(g) ? g.messages() : 0,
                        .recv = halves::is_first(g) ? g.messages() : 0};
        },
    .result = [](const Geometry& g) { return halves::is_first(g) ? halves::from_peer(g) : std::vector<Block>{}; },
    .call = "get",
    .peers = halves::opposite,
};

}  // namespace busbar
