// SPDX-License-Identifier: Apache-2.0
#include "core/record/groups.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_key.hpp"
#include "core/record/case_record.hpp"
#include "core/record/status.hpp"
#include "core/statistics/summary.hpp"

namespace busbar {
namespace {

/// By round, over the rounds that all have: other cases may have ended earlier.
std::vector<double> costs_by_round(const std::vector<double>& first_s, const std::vector<double>& second_s,
                                   const std::vector<double>& together_s) {
  std::vector<double> costs;
  const std::size_t n = std::min({first_s.size(), second_s.size(), together_s.size()});
  for (std::size_t i = 0; i < n; ++i)
    if (first_s[i] + second_s[i] > 0) costs.push_back(together_s[i] / (first_s[i] + second_s[i]));
  return costs;
}

/// What the cases of both kinds have in common.
std::string common_key(CaseKey key) {
  key.group.reset();
  key.ranks = 0;
  key.nodes.reset();
  key.ranks_per_node.reset();
  return to_string(key);
}

}  // namespace

const GroupTime* slowest_group(const CaseRecord& c) {
  const auto at = std::ranges::max_element(c.groups, {}, &GroupTime::over_others);
  return at == c.groups.end() ? nullptr : &*at;
}

std::string group_name(const CaseRecord& c, const GroupTime& g) {
  return fmt::format("{}group {} (ranks {})", c.calls.empty() ? "" : g.kind + " ", g.group, g.ranks);
}

std::string slowest_group_text(const CaseRecord& c) {
  const GroupTime* slowest = slowest_group(c);
  return slowest == nullptr ? "-" : fmt::format("{} {:.2f}x", group_name(c, *slowest), slowest->over_others);
}

void Alternations::add_case(const CaseRecord& c) {
  const bool together = c.calls.size() == 2;
  if (!is_measured(c.status) || !c.time_s || !(*c.time_s > 0)) return;
  if (!c.key.group || !c.key.group->starts_with("rank")) return;
  Cases& cases = cases_[common_key(c.key)];
  Times mine{.series = series_name(c.key), .time_s = *c.time_s, .rounds_s = {}};
  for (const Round& round : c.rounds) mine.rounds_s.push_back(round.median_s);
  if (together) {
    cases.together = std::move(mine);
    cases.kinds = {c.calls[0].kind, c.calls[1].kind};
  } else {
    cases.alone.insert_or_assign(*c.key.group, std::move(mine));
  }
  if (cases.complete || !cases.together) return;
  const auto first = cases.alone.find(cases.kinds[0]), second = cases.alone.find(cases.kinds[1]);
  if (first == cases.alone.end() || second == cases.alone.end()) return;
  cases.complete = true;
  const auto& [one, two, both] = std::tie(first->second, second->second, *cases.together);
  const auto costs = costs_by_round(one.rounds_s, two.rounds_s, both.rounds_s);
  found_.push_back({.series = both.series,
                    .bytes = c.key.bytes,
                    .first = first->first,
                    .second = second->first,
                    .first_s = one.time_s,
                    .second_s = two.time_s,
                    .together_s = both.time_s,
                    .cost = costs.empty() ? both.time_s / (one.time_s + two.time_s) : median(costs),
                    .interval = series_median_interval(costs, 0.95)});
}

std::string alternation_table(const std::vector<Alternation>& found) {
  std::map<std::string, std::map<std::uint64_t, const Alternation*>> series;
  for (const Alternation& one : found) series[one.series][one.bytes] = &one;
  std::string s;
  for (const auto& [name, sizes] : series) {
    const Alternation& any = *sizes.begin()->second;
    const std::size_t wide = std::max<std::size_t>(10, std::max(any.first.size(), any.second.size()) + 5);
    s += fmt::format("#\n# together over alone: {}\n# {:>7} {:>{}} {:>{}} {:>13} {:>8}  {}\n", name, "size",
                     any.first + " (us)", wide, any.second + " (us)", wide, "together (us)", "cost",
                     "95 % (of this launch)");
    for (const auto& [bytes, one] : sizes)
      s += fmt::format("# {:>7} {:>{}.2f} {:>{}.2f} {:>13.2f} {:>8.2f}  {}\n", format_size(bytes), one->first_s * 1e6,
                       wide, one->second_s * 1e6, wide, one->together_s * 1e6, one->cost,
                       one->interval ? fmt::format("{:.2f} to {:.2f}", one->interval->low, one->interval->high) : "-");
  }
  return s;
}

}  // namespace busbar
