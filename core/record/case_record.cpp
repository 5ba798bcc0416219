// SPDX-License-Identifier: Apache-2.0
#include "core/record/case_record.hpp"

#include <optional>
#include <string_view>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/units.hpp"

namespace busbar {

void set_bandwidth(CaseRecord& r, double time_s, double bus_factor) {
  r.time_s = time_s;
  if (r.key.bytes == 0 || !(time_s > 0)) return;
  r.bus_factor = bus_factor;
  r.algbw_GBps = static_cast<double>(r.key.bytes) / time_s * 1e-9;
  r.busbw_GBps = *r.algbw_GBps * bus_factor;
}

static void check_figure(std::string_view what, std::optional<double> value, double least, double most) {
  if (!value || *value == 0 || (*value >= least && *value <= most)) return;
  throw Error(fmt::format("{} is {:g}, not plausible: accepted are 0 and {:g} to {:g}", what, *value, least, most));
}

void check_figures(const CaseRecord& c) {
  constexpr double least_s = 1e-12;
  constexpr double most_s = 1e9;
  constexpr double most_GBps = 1e9;
  check_figure("time_s", c.time_s, least_s, most_s);
  check_figure("algbw_GBps", c.algbw_GBps, 1e-15, most_GBps);
  check_figure("busbw_GBps", c.busbw_GBps, 1e-15, most_GBps);
  if (c.interval_s) {
    check_figure("interval_s.low", c.interval_s->low, least_s, most_s);
    check_figure("interval_s.high", c.interval_s->high, least_s, most_s);
  }
  if (c.training) check_figure("samples_per_s", c.training->samples_per_s, 1e-9, 1e15);
}

std::string half_width_percent(const CaseRecord& c, const std::optional<Interval>& interval) {
  if (!interval || !c.time_s || !(*c.time_s > 0)) return "-";
  const double percent = 100 * relative_half_width(*interval);
  return fmt::format("{:.{}f}", percent, percent < 9.95 ? 1 : 0);
}

std::string half_width_percent(const CaseRecord& c) {
  return half_width_percent(c, c.interval_of_launches_s ? c.interval_of_launches_s : c.interval_s);
}

}  // namespace busbar
