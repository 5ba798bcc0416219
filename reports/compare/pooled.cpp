// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/pooled.hpp"

#include <map>
#include <unordered_map>

#include "core/record/case_key.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/run_record.hpp"
#include "core/record/status.hpp"
#include "core/statistics/log_ratio.hpp"
#include "reports/compare/criterion.hpp"

namespace busbar::report {
namespace {

/// Times of all launches for one key.
struct Launches {
  CaseRecord like;
  std::vector<double> times_s;
};

struct Pool {
  RunRecord head;
  std::vector<Launches> cases;
  std::unordered_map<std::string, std::size_t> by_key;
};

CaseRecord mean_of(const Launches& launches) {
  CaseRecord c{.key = launches.like.key};
  set_bandwidth(c, geometric_mean(launches.times_s), launches.like.bus_factor.value_or(0));
  if (!launches.like.busbw_GBps) c.busbw_GBps.reset();
  c.interval_s = geometric_mean_interval(launches.times_s, 0.95);
  return c;
}

using Labels = decltype(RunRecord::labels);
bool has(const Labels& labels, const Labels::value_type& label) {
  const auto at = labels.find(label.first);
  return at != labels.end() && at->second == label.second;
}

}  // namespace

std::vector<Run> pooled(std::string_view flag, const std::string& name, const std::vector<Run>& runs) {
  const compare::Criterion criterion = compare::find_criterion(flag, name, runs);
  std::vector<std::string> order;
  std::map<std::string, Pool> pools;
  for (const Run& run : runs) {
    for (const CaseRecord& c : run.cases) {
      if (!is_measured(c.status) || c.key.training || !c.time_s || !(*c.time_s > 0)) continue;
      const std::string value = criterion.value(run, c);
      const auto [at, is_new] = pools.try_emplace(value);
      if (is_new) {
        order.push_back(value);
        at->second.head = run.head;
      }
      Pool& pool = at->second;
      std::erase_if(pool.head.labels, [&](const auto& label) { return !has(run.head.labels, label); });
      CaseKey key = c.key;
      criterion.blank(key);
      const auto [row, new_key] = pool.by_key.try_emplace(to_string(key), pool.cases.size());
      if (new_key)
        pool.cases.push_back(
            {.like = {.key = key, .busbw_GBps = c.busbw_GBps, .bus_factor = c.bus_factor}, .times_s = {}});
      pool.cases[row->second].times_s.push_back(*c.time_s);
    }
  }
  std::vector<Run> all;
  for (const std::string& value : order) {
    Pool& pool = pools.at(value);
    pool.head.labels[name] = value.empty() ? "unknown" : value;
    Run& run = all.emplace_back(Run{.head = std::move(pool.head)});
    for (const Launches& launches : pool.cases) run.cases.push_back(mean_of(launches));
  }
  return all;
}

}  // namespace busbar::report
