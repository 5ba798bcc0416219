// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/fwd.hpp"
#include "reports/explain/places.hpp"
#include "reports/text/text.hpp"

namespace busbar::explain {
namespace {

std::string dip_title(const Place& place) {
  return fmt::format("{} is {:.1f}x slower at {} than its neighbouring sizes predict", place.curve->label, place.ratio,
                     format_size(place.from));
}

std::string dip_sentence(const Place& place) {
  const CurvePoint& left = place.curve->points[place.index - 1];
  const CurvePoint &here = place.point(), &right = place.point(1);
  return fmt::format(
             "{}, {}: {}. Interpolating {} ({}) and {} ({}) gives {}. algbw is {} GB/s here, {} before and {} after.",
             place.curve->label, format_size(here.bytes), format_duration(here.time_s), format_size(left.bytes),
             format_duration(left.time_s), format_size(right.bytes), format_duration(right.time_s),
             format_duration(between_neighbours_s(*place.curve, place.index)), report::bandwidth(algbw_GBps(here)),
             report::bandwidth(algbw_GBps(left)), report::bandwidth(algbw_GBps(right))) +
         choices(place, place.index - 1, 3);
}

std::vector<Finding> find_dip(const Run& run) {
  const Places all = places(run);
  return gather(all.dips, {.title = dip_title, .sentence = dip_sentence, .tries = [&run](const Place& place) {
                             return about_switches(place, run);
                           }});
}

}  // namespace

extern const Rule dip{
    .name = "dip",
    .about = "one size is much slower than its neighbours: a protocol or algorithm switch, or interference",
    .order = 90,
    .suspicious = true,
    .has_data = has_curves,
    .look = find_dip,
};

}  // namespace busbar::explain
