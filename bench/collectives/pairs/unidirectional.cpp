// SPDX-License-Identifier: Apache-2.0
#include "bench/collectives/bus_factor.hpp"
#include "bench/collectives/halves.hpp"
#include "core/backend/collective.hpp"

namespace busbar {

extern const Collective unidirectional{
    .name = "unidirectional",
    .about = "a window of messages to the peer, then its acknowledgement; time per message (osu_bw, osu_mbw_mr)",
    .family = Family::point_to_point,
    .window = 64,
    .parts = halves::each_message,
    .in_place = false,
    .movement = Movement::point_to_point,
    .bus_factor = bus_factor::once,
    .layout = halves::to_second,
    .result = halves::received_by_second,
    .call = "unidirectional",
    .peers = halves::opposite,
};

}  // namespace busbar
