// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "core/record/case_record.hpp"
#include "reports/compare/comparison.hpp"
#include "reports/text/training_text.hpp"

namespace busbar::compare {
namespace {

/// The paced time converted to another quantity, whose unpaced value is `value`.
std::optional<PacedFigure> paced(const CaseRecord& c, double value, bool higher_is_better) {
  if (!c.paced || !c.time_s || !(*c.time_s > 0) || !(c.paced->time_s > 0) || !(c.paced->pace_s > 0))
    return std::nullopt;
  const double times = c.paced->time_s / *c.time_s;
  return PacedFigure{.value = higher_is_better ? value / times : value * times, .pace_s = c.paced->pace_s};
}

/// Empty unless the value is positive: the comparison takes logarithms.
std::optional<LaunchFigure> figure(const CaseRecord& c, const std::optional<double>& value,
                                   const std::optional<Interval>& interval, bool higher_is_better) {
  if (!value || !(*value > 0)) return std::nullopt;
  return LaunchFigure{.value = *value, .interval = interval, .paced = paced(c, *value, higher_is_better)};
}

std::optional<LaunchFigure> time(const CaseRecord& c) { return figure(c, c.time_s, c.interval_s, false); }

/// A bandwidth, with the relative uncertainty of its time.
std::optional<LaunchFigure> bandwidth(const CaseRecord& c, const std::optional<double>& value) {
  if (!value || !c.time_s || !c.interval_s || !(c.interval_s->low > 0)) return figure(c, value, {}, true);
  return figure(c, value,
                Interval{.low = *value * *c.time_s / c.interval_s->high,
                         .high = *value * *c.time_s / c.interval_s->low,
                         .confidence = c.interval_s->confidence},
                true);
}
std::optional<LaunchFigure> busbw(const CaseRecord& c) { return bandwidth(c, c.busbw_GBps); }
std::optional<LaunchFigure> algbw(const CaseRecord& c) { return bandwidth(c, c.algbw_GBps); }
std::optional<LaunchFigure> rate(const CaseRecord& c) {
  if (!c.training) return std::nullopt;
  return figure(c, c.training->samples_per_s, c.training->samples_per_s_interval, true);
}

std::string seconds(const CaseRecord&) { return "s"; }
std::string gigabytes_per_second(const CaseRecord&) { return "GB/s"; }
std::string samples_per_second(const CaseRecord& c) { return report::rate_unit(*c.training); }

constexpr std::array quantities{
    Quantity{.name = "rate", .higher_is_better = true, .of = rate, .unit = samples_per_second},
    Quantity{.name = "time", .higher_is_better = false, .of = time, .unit = seconds},
    Quantity{.name = "algbw", .higher_is_better = true, .of = algbw, .unit = gigabytes_per_second},
    Quantity{.name = "busbw", .higher_is_better = true, .of = busbw, .unit = gigabytes_per_second},
};

}  // namespace

const Quantity* find_quantity(std::string_view name) {
  const auto it = std::ranges::find(quantities, name, &Quantity::name);
  return it == quantities.end() ? nullptr : &*it;
}

}  // namespace busbar::compare
