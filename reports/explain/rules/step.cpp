// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/fwd.hpp"
#include "reports/explain/places.hpp"
#include "reports/text/text.hpp"

namespace busbar::explain {
namespace {

std::string step_title(const Place& place) {
  return fmt::format("the time of {} jumps between {} and {}, to {:.1f}x the expected time", place.curve->label,
                     format_size(place.from), format_size(place.to), place.ratio);
}

std::string step_sentence(const Place& place) {
  const CurvePoint &before = place.point(), &here = place.point(1), &behind = place.point(2);
  return fmt::format(
             "{}: {} at {}, {} at {}, {} at {}. The slopes before and after predict a {:.1f}x shorter time; algbw "
             "goes from {} to {} GB/s.",
             place.curve->label, format_duration(before.time_s), format_size(before.bytes),
             format_duration(here.time_s), format_size(here.bytes), format_duration(behind.time_s),
             format_size(behind.bytes), place.ratio, report::bandwidth(algbw_GBps(before)),
             report::bandwidth(algbw_GBps(here))) +
         choices(place, place.index, 2);
}

std::vector<std::string> step_tries(const Place& place, const Run& run) {
  auto all = about_switches(place, run);
  const CaseKey& key = place.curve->key();
  const bool slower = algbw_GBps(place.point(1)) < algbw_GBps(place.point());
  if (slower && key.memory == "host" && place.from >= (1U << 18)) all.push_back(about_caches());
  return all;
}

std::vector<Finding> find_step(const Run& run) {
  const Places all = places(run);
  return gather(all.steps, {.title = step_title,
                            .sentence = step_sentence,
                            .tries = [&run](const Place& place) { return step_tries(place, run); },
                            .slow = 1});
}

}  // namespace

extern const Rule step{
    .name = "step",
    .about = "the time jumps between two sizes by more than the size explains, and stays up",
    .order = 100,
    .has_data = has_curves,
    .look = find_step,
};

}  // namespace busbar::explain
