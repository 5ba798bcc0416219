// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "reports/compare/comparison.hpp"

namespace busbar::compare {
namespace {

/// Nothing for what is no positive number: it has no logarithm.
std::optional<LaunchFigure> figure(const std::optional<double>& value, const std::optional<Interval>& interval = {}) {
  if (!value || !(*value > 0)) return std::nullopt;
  return LaunchFigure{.value = *value, .interval = interval};
}

std::optional<LaunchFigure> time(const CaseRecord& c) { return figure(c.time_s, c.interval_s); }

/// A bandwidth, which is as uncertain as the time it is made from.
std::optional<LaunchFigure> bandwidth(const CaseRecord& c, const std::optional<double>& value) {
  if (!value || !c.time_s || !c.interval_s || !(c.interval_s->low > 0)) return figure(value);
  return figure(value, Interval{.low = *value * *c.time_s / c.interval_s->high,
                                .high = *value * *c.time_s / c.interval_s->low,
                                .confidence = c.interval_s->confidence});
}
std::optional<LaunchFigure> busbw(const CaseRecord& c) { return bandwidth(c, c.busbw_GBps); }
std::optional<LaunchFigure> algbw(const CaseRecord& c) { return bandwidth(c, c.algbw_GBps); }
std::optional<LaunchFigure> rate(const CaseRecord& c) {
  if (!c.training) return std::nullopt;
  return figure(c.training->samples_per_s, c.training->samples_per_s_interval);
}

constexpr std::array quantities{
    Quantity{.name = "rate", .higher_is_better = true, .of = rate},
    Quantity{.name = "time", .higher_is_better = false, .of = time},
    Quantity{.name = "algbw", .higher_is_better = true, .of = algbw},
    Quantity{.name = "busbw", .higher_is_better = true, .of = busbw},
};

}  // namespace

const Quantity* find_quantity(std::string_view name) {
  const auto it = std::ranges::find(quantities, name, &Quantity::name);
  return it == quantities.end() ? nullptr : &*it;
}

}  // namespace busbar::compare
