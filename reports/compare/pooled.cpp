// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/pooled.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "core/record/case_key.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/run_record.hpp"
#include "core/record/status.hpp"
#include "core/statistics/log_ratio.hpp"
#include "reports/compare/fields.hpp"

namespace busbar::report {
namespace {

/// Times of all launches for one key.
struct Launches {
  CaseRecord like;
  std::vector<compare::FigureOfLaunch> times;
};

struct Pool {
  RunRecord head;
  std::vector<Launches> cases;
  std::unordered_map<std::string, std::size_t> by_key;
};

CaseRecord mean_of(const Launches& launches) {
  std::vector<double> times_s;
  for (const compare::FigureOfLaunch& time : launches.times) times_s.push_back(time.figure.value);
  CaseRecord c{.key = launches.like.key};
  set_bandwidth(c, geometric_mean(times_s), launches.like.bus_factor.value_or(0));
  if (!launches.like.busbw_GBps) c.busbw_GBps.reset();
  c.interval_s = geometric_mean_interval(times_s, 0.95);
  return c;
}

/// The run of a pool. Moves the times of its launches into `all`.
void add_run(Pooled& all, Pool& pool) {
  Run& run = all.runs.emplace_back(Run{.head = std::move(pool.head)});
  for (const Launches& launches : pool.cases) run.cases.push_back(mean_of(launches));
  for (std::size_t i = 0; i < pool.cases.size(); ++i) {
    auto& times = all.launches[&run.cases[i]] = std::move(pool.cases[i].times);
    std::ranges::stable_sort(times, {}, [](const compare::FigureOfLaunch& time) { return time.place.start; });
  }
}

using Labels = decltype(RunRecord::labels);
bool has(const Labels& labels, const Labels::value_type& label) {
  const auto at = labels.find(label.first);
  return at != labels.end() && at->second == label.second;
}

}  // namespace

Pooled pooled(std::string_view flag, const std::string& name, const std::vector<Run>& runs) {
  const compare::Criterion criterion = compare::find_criterion(flag, name, runs);
  const compare::Quantity& time = *compare::find_quantity("time");
  const std::vector<compare::PlaceOfLaunch> places = compare::places_of_launches(runs);
  std::vector<std::string> order;
  std::map<std::string, Pool> pools;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Run& run = runs[i];
    for (const CaseRecord& c : run.cases) {
      const auto figure = time.of(c);
      if (!is_measured(c.status) || c.key.training || !figure) continue;
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
      if (new_key) pool.cases.push_back({.like = {.key = key, .busbw_GBps = c.busbw_GBps, .bus_factor = c.bus_factor}});
      pool.cases[row->second].times.push_back({.place = places[i], .figure = *figure, .wall_s = c.wall_s.value_or(0)});
    }
  }
  Pooled all;
  for (const std::string& value : order) {
    Pool& pool = pools.at(value);
    pool.head.labels[name] = value.empty() ? "unknown" : value;
    add_run(all, pool);
  }
  return all;
}

}  // namespace busbar::report
