// SPDX-License-Identifier: Apache-2.0
#include "reports/runs/fastest.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "core/statistics/summary.hpp"
#include "reports/text/text.hpp"

namespace busbar::report {
namespace {

std::string value_of(const Run& run, const std::string& label) {
  const auto it = run.head.labels.find(label);
  return it == run.head.labels.end() ? "" : it->second;
}

std::size_t count_of_values(const std::vector<Run>& runs, const std::string& label) {
  std::set<std::string> values;
  for (const Run& run : runs) values.insert(value_of(run, label));
  return values.size();
}

std::vector<std::string> labels_that_differ(const std::vector<Run>& runs) {
  std::set<std::string> names;
  for (const Run& run : runs)
    for (const auto& [name, value] : run.head.labels) names.insert(name);
  std::vector<std::string> some(names.begin(), names.end());
  std::erase_if(some, [&](const std::string& name) { return count_of_values(runs, name) < 2; });
  std::ranges::stable_sort(some, std::greater{}, [&](const std::string& name) { return count_of_values(runs, name); });
  return some;
}

void add(Contest& contest, const std::string& value, double time_s) {
  const auto same = std::ranges::find(contest.contenders, value, &Contender::value);
  if (same == contest.contenders.end())
    contest.contenders.push_back({.value = value, .time_s = time_s});
  else
    same->time_s = std::min(same->time_s, time_s);
}

/// The fastest time of each value, grouped by everything else being equal; ratios are within a group.
using Alike = std::map<std::vector<std::string>, std::vector<double>>;

Alike alike_but_for(const Study& study, const std::vector<const Contest*>& contests, const std::string& label) {
  Alike all;
  const auto it = std::ranges::find(study.others, label);
  const auto at = it - study.others.begin();
  for (const Contest* c : contests) {
    if (it == study.others.end()) {
      for (const Contender& one : c->contenders) all[c->others].push_back(one.time_s);
    } else {
      auto rest = c->others;
      rest.erase(rest.begin() + at);
      all[rest].push_back(c->contenders.front().time_s);
    }
  }
  return all;
}

}  // namespace

Study study_of(const std::string& label, const std::vector<Run>& runs) {
  Study study{.label = label, .others = labels_that_differ(runs)};
  if (std::erase(study.others, label) == 0)
    throw UsageError(fmt::format("--fastest: no two runs differ in a label '{}'; they differ in: {}", label,
                                 study.others.empty() ? "no label" : list(study.others)));
  std::map<std::tuple<CaseKey, bool, std::vector<std::string>>, std::size_t> known;
  for (const Run& run : runs) {
    std::vector<std::string> others;
    for (const std::string& other : study.others) others.push_back(value_of(run, other));
    for (const CaseRecord& c : run.cases) {
      if (!is_measured(c.status) || !c.time_s || !(*c.time_s > 0) || c.key.ranks < 2) continue;
      const bool simulated = is_simulated(run.head);
      const auto [at, is_new] = known.try_emplace({c.key, simulated, others}, study.contests.size());
      if (is_new) study.contests.push_back({.key = c.key, .simulated = simulated, .others = others});
      add(study.contests[at->second], value_of(run, label), *c.time_s);
    }
  }
  for (Contest& contest : study.contests) std::ranges::stable_sort(contest.contenders, {}, &Contender::time_s);
  return study;
}

std::optional<Effect> effect_of(const Study& study, const std::vector<const Contest*>& contests,
                                const std::string& label) {
  std::vector<double> ratios;
  for (const auto& [rest, times] : alike_but_for(study, contests, label))
    if (times.size() > 1) ratios.push_back(std::ranges::max(times) / std::ranges::min(times));
  if (ratios.empty()) return std::nullopt;
  return Effect{.median = median(ratios), .least = std::ranges::min(ratios), .greatest = std::ranges::max(ratios)};
}

}  // namespace busbar::report
