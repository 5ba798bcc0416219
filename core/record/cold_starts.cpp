// SPDX-License-Identifier: Apache-2.0
#include "core/record/cold_starts.hpp"

#include <cmath>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_key.hpp"
#include "core/record/case_record.hpp"
#include "core/record/status.hpp"

namespace busbar {
namespace {

/// Combines both intervals as independent errors of the logarithm.
std::optional<Interval> interval_of_ratio(double hot_s, const std::optional<Interval>& hot, double cold_s,
                                          const std::optional<Interval>& cold) {
  if (!hot || !cold || !(hot->low > 0) || !(cold->low > 0)) return std::nullopt;
  const double below = std::hypot(std::log(cold_s / cold->low), std::log(hot->high / hot_s));
  const double above = std::hypot(std::log(cold->high / cold_s), std::log(hot_s / hot->low));
  return Interval{.low = cold_s / hot_s * std::exp(-below),
                  .high = cold_s / hot_s * std::exp(above),
                  .confidence = cold->confidence};
}

}  // namespace

void ColdStarts::add_case(const CaseRecord& c) {
  if (!is_measured(c.status) || !c.time_s || !(*c.time_s > 0) || c.key.training) return;
  const bool is_cold = c.key.cadence == cold_cadence;
  CaseKey both = c.key;
  both.cadence.reset();
  const std::string key = to_string(both);
  const Half mine{.series = series_name(c.key), .time_s = *c.time_s, .interval_s = c.interval_s};
  (is_cold ? cold_ : hot_).insert_or_assign(key, mine);
  const auto other = (is_cold ? hot_ : cold_).find(key);
  if (other == (is_cold ? hot_ : cold_).end()) return;
  const Half& hot = is_cold ? other->second : mine;
  const Half& cold = is_cold ? mine : other->second;
  pairs_.push_back({.series = hot.series,
                    .bytes = c.key.bytes,
                    .hot_s = hot.time_s,
                    .cold_s = cold.time_s,
                    .ratio = cold.time_s / hot.time_s,
                    .interval = interval_of_ratio(hot.time_s, hot.interval_s, cold.time_s, cold.interval_s)});
}

std::string cold_start_table(const std::vector<ColdStart>& pairs) {
  std::map<std::string, std::map<std::uint64_t, const ColdStart*>> series;
  for (const ColdStart& pair : pairs) series[pair.series][pair.bytes] = &pair;
  std::string s;
  for (const auto& [name, sizes] : series) {
    s += fmt::format("#\n# cold over hot: {}\n# {:>7} {:>10} {:>10} {:>8}  {}\n", name, "size", "hot (us)", "cold (us)",
                     "ratio", "95 % (of this launch)");
    for (const auto& [bytes, pair] : sizes)
      s += fmt::format(
          "# {:>7} {:>10.2f} {:>10.2f} {:>8.2f}  {}\n", format_size(bytes), pair->hot_s * 1e6, pair->cold_s * 1e6,
          pair->ratio,
          pair->interval ? fmt::format("{:.2f} to {:.2f}", pair->interval->low, pair->interval->high) : "-");
  }
  return s;
}

}  // namespace busbar
