// SPDX-License-Identifier: Apache-2.0
#include "bench/collectives/bus_factor.hpp"
#include "core/backend/collective.hpp"

namespace busbar {

extern const Collective barrier{
    .name = "barrier",
    .about = "no rank leaves before every rank has entered; moves no data, has a time only",
    .sizing = Sizing::none,
    .in_place = false,
    .bus_factor = bus_factor::once,
    .layout = [](const Geometry&) { return Layout{}; },
    .result = [](const Geometry&) { return std::vector<Block>{}; },
    .call = "barrier",
};

}  // namespace busbar
