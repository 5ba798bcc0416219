// SPDX-License-Identifier: Apache-2.0
#include "reports/repeat/pooled_cases.hpp"

#include <algorithm>
#include <unordered_map>

#include "core/base/units.hpp"
#include "core/record/case_key.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "core/statistics/log_ratio.hpp"
#include "core/statistics/summary.hpp"
#include "core/tables/case_table.hpp"
#include "core/tables/named_table.hpp"

namespace busbar::repeat {
namespace {

constexpr double confidence = 0.95;

std::string name_of(const CaseKey& key) {
  if (is_named(key)) return case_name(key);
  return key.training ? plural(key.ranks, "rank") : format_size(key.bytes);
}

}  // namespace

std::vector<PooledCase> pool_cases(std::span<const Run* const> launches) {
  std::vector<PooledCase> all;
  std::vector<std::vector<double>> widths;
  std::vector<CaseRecord> like;  // key and bus factor
  std::unordered_map<std::string, std::size_t> by_id;
  for (const Run* run : launches)
    for (const CaseRecord& c : run->cases) {
      if (!is_measured(c.status) || !c.time_s || !(*c.time_s > 0)) continue;
      const auto [at, is_new] = by_id.try_emplace(to_string(c.key), all.size());
      if (is_new) {
        all.push_back({.series = table_series(c),
                       .name = name_of(c.key),
                       .algbw_GBps = c.algbw_GBps,
                       .busbw_GBps = c.busbw_GBps});
        like.push_back({.key = c.key, .bus_factor = c.bus_factor});
        widths.emplace_back();
      }
      all[at->second].times_s.push_back(*c.time_s);
      if (c.interval_s) widths[at->second].push_back(relative_half_width(*c.interval_s));
    }
  for (std::size_t i = 0; i < all.size(); ++i) {
    PooledCase& one = all[i];
    one.time_s = median(one.times_s);
    one.interval = median_of_figures_interval(one.times_s, confidence);
    if (one.times_s.size() > 1) one.spread = spread_of_logs(one.times_s);
    if (!widths[i].empty()) one.within = median(widths[i]);
    set_bandwidth(like[i], one.time_s, like[i].bus_factor.value_or(0));
    if (one.algbw_GBps) one.algbw_GBps = like[i].algbw_GBps;
    if (one.busbw_GBps) one.busbw_GBps = like[i].busbw_GBps;
  }
  return all;
}

std::optional<double> widest(std::span<const PooledCase> cases) {
  std::optional<double> most;
  for (const PooledCase& one : cases) {
    if (!one.interval) return std::nullopt;
    most = std::max(most.value_or(0), relative_half_width(*one.interval));
  }
  return most;
}

}  // namespace busbar::repeat
