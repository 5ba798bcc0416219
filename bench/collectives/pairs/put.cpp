// SPDX-License-Identifier: Apache-2.0
#include "bench/collectives/bus_factor.hpp"
#include "bench/collectives/halves.hpp"
#include "core/backend/collective.hpp"

namespace busbar {

extern const Collective put{
    .name = "put",
    .about = "write to the peer's memory, then flush; time per access (osu_put_latency, osu_put_bw)",
    .family = Family::one_sided,
    .window = 1,
    .parts = halves::each_message,
    .in_place = false,
    .movement = Movement::point_to_point,
    .bus_factor = bus_factor::once,
    .layout = halves::to_second,
    .result = halves::received_by_second,
    .call = "put",
    .peers = halves::opposite,
};

}  // namespace busbar
