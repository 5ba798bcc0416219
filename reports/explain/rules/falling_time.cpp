// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/fwd.hpp"
#include "reports/explain/places.hpp"

namespace busbar::explain {
namespace {

std::string falling_time_title(const Place& place) {
  return fmt::format("{} is {:.1f}x faster at {} than at {}, despite the larger size", place.curve->label, place.ratio,
                     format_size(place.to), format_size(place.from));
}

std::string falling_time_sentence(const Place& place) {
  const CurvePoint &before = place.point(), &here = place.point(1);
  return fmt::format("{}: {} at {}, {} at {}.", place.curve->label, format_duration(before.time_s),
                     format_size(before.bytes), format_duration(here.time_s), format_size(here.bytes)) +
         choices(place, place.index, 2);
}

std::vector<std::string> falling_time_tries(const Place& place, const Run& run) {
  auto all = about_switches(place, run);
  if (place.certainty != Certainty::possible)
    all.push_back(fmt::format("Until it is fixed, pad smaller messages to {}.", format_size(place.to)));
  return all;
}

std::string start_title(const Place& place) {
  return fmt::format("the first size of the log, {}, is {:.1f}x slower than the next", format_size(place.from),
                     place.ratio);
}

std::vector<std::string> start_tries(const Place&) {
  return {
      "The first calls of a program open connections and load kernels. Ignore that row, or measure again with more "
      "warm-up (nccl-tests: -w 20) or from a smaller size."};
}

std::vector<Finding> find_falling_time(const Run& run) {
  const Places all = places(run);
  auto findings = gather(all.falls, {.title = falling_time_title,
                                     .sentence = falling_time_sentence,
                                     .tries = [&run](const Place& place) { return falling_time_tries(place, run); }});
  for (Finding& start :
       gather(all.slow_starts, {.title = start_title, .sentence = falling_time_sentence, .tries = start_tries}))
    findings.push_back(std::move(start));
  return findings;
}

}  // namespace

extern const Rule falling_time{
    .name = "falling_time",
    .about = "a larger size takes less time than a smaller one",
    .order = 110,
    .suspicious = true,
    .has_data = has_curves,
    .look = find_falling_time,
};

}  // namespace busbar::explain
