// SPDX-License-Identifier: Apache-2.0
#include "bench/collectives/bus_factor.hpp"
#include "bench/collectives/halves.hpp"
#include "core/backend/collective.hpp"

namespace busbar {

/// Like OSU and IMB, the bandwidth counts the messages of both directions.
extern const Collective bidirectional{
    .name = "bidirectional",
    .about = "a window of messages each way at once; time per message of both directions (osu_bibw)",
    .family = Family::point_to_point,
    .window = 64,
    .parts = halves::each_message_both_ways,
    .in_place = false,
    .movement = Movement::point_to_point,
    .bus_factor = bus_factor::once,
    .layout = halves::both_ways,
    .result = halves::received_by_both,
    .call = "bidirectional",
    .peers = halves::opposite,
};

}  // namespace busbar
