// SPDX-License-Identifier: Apache-2.0
#include "bench/collectives/bus_factor.hpp"
#include "bench/collectives/halves.hpp"
#include "core/backend/collective.hpp"

namespace busbar {

/// The cut separates the first half of the ranks from the second. If ranks fill hosts in order, it is between hosts; it
/// is the network's narrowest cut only if hosts were allocated in network order.
extern const Collective bisection{
    .name = "bisection",
    .about = "ranks of the first half exchange with those of the second, all at once",
    .moves_input = true,
    .movement = Movement::point_to_point,
    .bus_factor = bus_factor::once,
    .layout = [](const Geometry& g) { return Layout{.send = g.count, .recv = g.count}; },
    .result = [](const Geometry& g) { return blocks::one(g, halves::opposite(g).from); },
    .call = "sendrecv",
    .peers = halves::opposite,
};

}  // namespace busbar
