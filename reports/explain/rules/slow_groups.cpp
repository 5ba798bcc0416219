// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/rank_list.hpp"
#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/rank_place.hpp"
#include "core/record/run.hpp"
#include "reports/explain/rule.hpp"
#include "reports/explain/words.hpp"
#include "reports/text/text.hpp"

namespace busbar::explain {
namespace {

constexpr double slower = 1.05;  ///< lower bound of the ratio to the other groups

/// A group, and the cases in which it is slow.
struct SlowGroup {
  const GroupTime* worst = nullptr;  ///< with the largest ratio
  const CaseRecord* worst_case = nullptr;
  std::vector<const CaseRecord*> cases;
};
using GroupName = std::pair<std::string, std::string>;  ///< kind, ranks

struct GroupSuspects {
  std::map<GroupName, SlowGroup> slow;
  std::map<std::string, std::size_t> cases;  ///< by kind, with times of groups
};

bool is_slow(const GroupTime& g) { return g.over_others_interval && g.over_others_interval->low > slower; }

GroupSuspects group_suspects(const Run& run) {
  GroupSuspects s;
  for (const CaseRecord* c : ok_cases(run)) {
    std::set<std::string> kinds;
    for (const GroupTime& g : c->groups) {
      kinds.insert(g.kind);
      if (!is_slow(g)) continue;
      SlowGroup& slow = s.slow[{g.kind, g.ranks}];
      slow.cases.push_back(c);
      if (slow.worst == nullptr || g.over_others > slow.worst->over_others) slow.worst = &g, slow.worst_case = c;
    }
    for (const std::string& kind : kinds) ++s.cases[kind];
  }
  return s;
}

/// Empty if the record does not have them.
std::vector<int> ranks_of_group(const GroupTime& g, const Run& run) {
  try {
    auto ranks = parse_rank_list("", g.ranks);
    std::erase_if(ranks, [&](int rank) { return rank >= run.head.ranks; });
    return ranks;
  } catch (const UsageError&) {
    return {};
  }
}

std::vector<std::string> hosts_of_group(const std::vector<int>& ranks, const Run& run) {
  std::set<std::string> hosts;
  for (const RankPlace& place : run.head.placement)
    if (std::ranges::find(ranks, place.rank) != ranks.end()) hosts.insert(place.host);
  return {hosts.begin(), hosts.end()};
}

std::string slow_group_sentence(const SlowGroup& slow, std::size_t cases) {
  const GroupTime& g = *slow.worst;
  return fmt::format(
      "Group {} of {} (ranks {}) is slower in {}; most in {}: {}, {:.2f}x the median of the other groups ({:.2f} to "
      "{:.2f} over rounds).",
      g.group, g.kind, g.ranks, of_cases(slow.cases.size(), cases), case_name(*slow.worst_case),
      format_duration(g.time_s), g.over_others, g.over_others_interval->low, g.over_others_interval->high);
}

Finding finding_of(const SlowGroup& slow, std::size_t cases, const Run& run) {
  const std::vector<int> ranks = ranks_of_group(*slow.worst, run);
  const auto hosts = hosts_of_group(ranks, run);
  Finding f{.certainty = 2 * slow.cases.size() >= cases ? Certainty::known : Certainty::likely,
            .title = fmt::format("group {} of {} (ranks {}{}) is slower than the other groups", slow.worst->group,
                                 slow.worst->kind, slow.worst->ranks,
                                 run.head.hosts.size() < 2 || hosts.empty() ? "" : " on " + report::list(hosts, 4)),
            .evidence = {slow_group_sentence(slow, cases)},
            .tries = {"Compare its hosts, links and GPUs with those of the other groups: busbar-bench pairs, "
                      "busbar-preflight.",
                      "Groups that span different numbers of hosts or switches differ by design: choose a --split "
                      "whose groups are alike."},
            .where = where(slow.cases)};
  f.where.ranks = ranks;
  f.where.hosts = hosts;
  return f;
}

std::vector<Finding> find_slow_groups(const Run& run) {
  const GroupSuspects s = group_suspects(run);
  std::vector<Finding> all;
  for (const auto& [name, slow] : s.slow) {
    const std::size_t cases = s.cases.at(name.first);
    if (cases == 1 || widespread(slow.cases.size(), cases)) all.push_back(finding_of(slow, cases, run));
  }
  std::ranges::stable_sort(all, {}, &Finding::certainty);
  return all;
}

}  // namespace

extern const Rule slow_groups{
    .name = "slow_groups",
    .about = "one of several groups that call at the same time is slower than the others",
    .order = 53,
    .suspicious = true,
    .has_data = any_case_has<&CaseRecord::groups>,
    .look = find_slow_groups,
};

}  // namespace busbar::explain
