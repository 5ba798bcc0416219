// SPDX-License-Identifier: Apache-2.0
#include "bench/collectives/bus_factor.hpp"
#include "bench/collectives/halves.hpp"
#include "core/backend/collective.hpp"

namespace busbar {

extern const Collective pingpong{
    .name = "pingpong",
    .about = "a message to the peer and one back; the time is half the round trip (osu_latency, osu_multi_lat)",
    .family = Family::point_to_point,
    .parts = halves::each_way,
    .in_place = false,
    .movement = Movement::point_to_point,
    .bus_factor = bus_factor::once,
    .layout = halves::both_ways,
    .result = halves::received_by_both,
    .call = "pingpong",
    .peers = halves::opposite,
};

}  // namespace busbar
