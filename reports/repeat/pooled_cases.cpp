// SPDX-License-Identifier: Apache-2.0
#include "reports/repeat/pooled_cases.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "core/base/units.hpp"
#include "core/record/case_key.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "core/statistics/log_ratio.hpp"
#include "core/statistics/summary.hpp"
#include "core/statistics/undisturbed.hpp"
#include "core/tables/case_table.hpp"
#include "core/tables/named_table.hpp"

namespace busbar::repeat {
namespace {

constexpr double confidence = 0.95;

/// Disturbed rounds whose calls took a smaller multiple of the time count too.
constexpr double least_disturbed_ratio = 1.1;

std::string name_of(const CaseKey& key) {
  if (is_named(key)) return case_name(key);
  return key.training ? plural(key.ranks, "rank") : format_size(key.bytes);
}

/// A case of each launch, in launch order.
using Launched = std::vector<const CaseRecord*>;

/// In the order of the plan: a launch may lack cases.
std::vector<Launched> cases_of(std::span<const Run* const> launches) {
  std::vector<Launched> all;
  std::unordered_map<std::string, std::size_t> by_id;
  for (const Run* run : launches)
    for (const CaseRecord& c : run->cases) {
      if (!is_measured(c.status) || !c.time_s || !(*c.time_s > 0)) continue;
      const auto [at, is_new] = by_id.try_emplace(to_string(c.key), all.size());
      if (is_new) all.emplace_back();
      all[at->second].push_back(&c);
    }
  std::ranges::stable_sort(all, {}, [](const Launched& launched) { return launched[0]->index; });
  return all;
}

/// Ranks, and the kind of their group.
using GroupId = std::pair<int, std::optional<std::string>>;

GroupId group_of(const Launched& launched) { return {launched[0]->key.ranks, launched[0]->key.group}; }

/// Median time of the disturbed rounds over that of the others; empty if either are missing.
std::optional<double> disturbed_ratio(const Launched& launched, const Undisturbed& undisturbed) {
  std::vector<double> disturbed_s, others_s;
  for (const CaseRecord* c : launched)
    for (const Round& r : c->rounds) (undisturbed.holds(r) ? others_s : disturbed_s).push_back(r.median_s);
  if (disturbed_s.empty() || others_s.empty()) return std::nullopt;
  return median(disturbed_s) / median(others_s);
}

/// The rounds of a group's cases.
struct GroupRounds {
  Undisturbed undisturbed;
  bool all_count;  ///< the undisturbed ones do not suffice, or do not differ from the others
};

/// All cases of a group are taken together: they meet the same states of its CPUs.
GroupRounds rounds_of(std::span<const Launched* const> cases) {
  std::vector<Round> rounds;
  for (const Launched* launched : cases)
    for (const CaseRecord* c : *launched) rounds.insert(rounds.end(), c->rounds.begin(), c->rounds.end());
  const Undisturbed undisturbed(rounds);
  std::vector<double> ratios;
  for (const Launched* launched : cases)
    if (const auto ratio = disturbed_ratio(*launched, undisturbed)) ratios.push_back(*ratio);
  const bool differ = ratios.empty() || median(ratios) >= least_disturbed_ratio;
  return {.undisturbed = undisturbed, .all_count = !undisturbed.is_usual() || !differ};
}

std::map<GroupId, GroupRounds> rounds_by_group(std::span<const Launched> cases) {
  std::map<GroupId, std::vector<const Launched*>> members;
  for (const Launched& launched : cases) members[group_of(launched)].push_back(&launched);
  std::map<GroupId, GroupRounds> all;
  for (const auto& [group, its] : members) all.emplace(group, rounds_of(its));
  return all;
}

/// As measured if nothing disturbed the launch. Empty if it has no undisturbed round.
std::optional<double> undisturbed_time_s(const CaseRecord& c, const Undisturbed& undisturbed) {
  std::vector<double> times_s;
  for (const Round& r : c.rounds)
    if (undisturbed.holds(r)) times_s.push_back(r.median_s);
  if (times_s.size() == c.rounds.size()) return c.time_s;
  if (times_s.empty()) return std::nullopt;
  return median(times_s);
}

void count_rounds(PooledCase& one, const Launched& launched, const Undisturbed& undisturbed) {
  for (const CaseRecord* c : launched)
    for (const Round& r : c->rounds) {
      if (undisturbed.is_slowed(r)) ++one.slowed;
      if (undisturbed.is_far(r)) ++one.far;
      ++(undisturbed.holds(r) ? one.rounds : one.disturbed);
    }
  one.disturbed_ratio = disturbed_ratio(launched, undisturbed);
}

void set_times(PooledCase& one, const Launched& launched, const GroupRounds& rounds) {
  if (!rounds.all_count)
    for (const CaseRecord* c : launched)
      if (const auto time_s = undisturbed_time_s(*c, rounds.undisturbed)) one.times_s.push_back(*time_s);
  one.as_measured = 2 * one.times_s.size() < launched.size();
  if (!one.as_measured) return;
  one.times_s.clear();
  for (const CaseRecord* c : launched) one.times_s.push_back(*c->time_s);
}

PooledCase pool_case(const Launched& launched, const GroupRounds& rounds) {
  const CaseRecord& first = *launched[0];
  PooledCase one{.series = table_series(first), .name = name_of(first.key)};
  set_times(one, launched, rounds);
  count_rounds(one, launched, rounds.undisturbed);
  one.time_s = median(one.times_s);
  one.interval = median_of_figures_interval(one.times_s, confidence);
  if (one.times_s.size() > 1) one.spread = spread_of_logs(one.times_s);
  CaseRecord like{.key = first.key, .bus_factor = first.bus_factor};
  set_bandwidth(like, one.time_s, like.bus_factor.value_or(0));
  if (first.algbw_GBps) one.algbw_GBps = like.algbw_GBps;
  if (first.busbw_GBps) one.busbw_GBps = like.busbw_GBps;
  return one;
}

}  // namespace

std::vector<PooledCase> pool_cases(std::span<const Run* const> launches) {
  const std::vector<Launched> cases = cases_of(launches);
  const auto rounds = rounds_by_group(cases);
  std::vector<PooledCase> all;
  for (const Launched& launched : cases) all.push_back(pool_case(launched, rounds.at(group_of(launched))));
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
