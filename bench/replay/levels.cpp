// SPDX-License-Identifier: Apache-2.0
#include "bench/replay/levels.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/core.h>

namespace busbar::replay {
namespace {

/// Distance between the ranks of a group if it is the same for all; 0: it is not.
int stride_of(const Members& members) {
  if (members.size() < 2) return 1;
  const int stride = members[1] - members[0];
  for (std::size_t i = 1; i < members.size(); ++i)
    if (members[i] - members[i - 1] != stride) return 0;
  return std::max(stride, 0);
}

bool disjoint(const Level& level, const Members& members) {
  return std::ranges::none_of(
      level.teams, [&](const Members& team) { return std::ranges::find_first_of(team, members) != team.end(); });
}

/// The groups of the same shape that cover this job. Throws Unsupported if there are none: then the groups of other
/// ranks than the trace's are unknown.
std::vector<Members> images(const Members& members, int ranks) {
  if (is_world(members, ranks)) return {members};
  const int stride = stride_of(members), size = static_cast<int>(members.size());
  if (stride == 0) throw Unsupported("its ranks are not evenly spaced, so the groups of other ranks are unknown");
  const std::int64_t span = static_cast<std::int64_t>(stride) * size;
  if (ranks % span != 0) throw Unsupported("groups of its shape do not divide the ranks of the job");
  std::vector<Members> all;
  for (int begin = 0; begin < ranks; begin += static_cast<int>(span))
    for (int offset = 0; offset < stride; ++offset) {
      all.emplace_back();
      for (int i = 0; i < size; ++i) all.back().push_back(begin + offset + i * stride);
    }
  if (std::ranges::find(all, members) == all.end())
    throw Unsupported("groups of its shape do not divide the ranks of the job");
  return all;
}

}  // namespace

std::string level_name(const std::vector<Level>& levels, const std::string& about, const Members& members, int ranks) {
  if (is_world(members, ranks)) return "world";
  const bool says_something = !about.empty() && about != "undefined" && about != "default_pg";
  std::string name = says_something ? about : "ranks " + text_of_ranks(members);
  const auto taken = [&](const std::string& text) {
    return text == "world" || std::ranges::any_of(levels, [&](const Level& level) { return level.name == text; });
  };
  if (!taken(name)) return name;
  if (says_something) name += " " + text_of_ranks(members);
  for (int i = 2; taken(name); ++i) name = fmt::format("{} ({})", says_something ? about : text_of_ranks(members), i);
  return name;
}

std::size_t level_for_all(std::vector<Level>& levels, const Wanted& w, int ranks) {
  auto teams = images(w.members, ranks);
  const auto same = [&](const Level& level) { return level.teams == teams; };
  const auto at = std::ranges::find_if(levels, same);
  if (at != levels.end()) return static_cast<std::size_t>(at - levels.begin());
  levels.push_back({.name = level_name(levels, w.about, teams[0], ranks), .teams = std::move(teams)});
  return levels.size() - 1;
}

JoinedLevels join_levels(const Schedule& s) {
  using Signatures = std::vector<Signature>;
  const auto signature = [&](std::size_t level) {
    Signatures all;
    for (const Step& step : s.lists[static_cast<std::size_t>(s.levels[level].teams[0][0])])
      if (const Case& c = s.cases[step.at].spec; s.cases[step.at].level == level) all.push_back(signature_of(c));
    return all;
  };
  JoinedLevels result;
  auto& [joined, into] = result;
  std::vector<Signatures> signatures;
  for (std::size_t l = 0; l < s.levels.size(); ++l) {
    const Members& members = s.levels[l].teams[0];
    const Signatures calls = signature(l);
    std::size_t k = 0;
    while (k < joined.size() &&
           !(signatures[k] == calls && joined[k].teams[0].size() == members.size() && disjoint(joined[k], members)))
      ++k;
    if (k == joined.size()) {
      joined.push_back({.name = s.levels[l].name});
      signatures.push_back(calls);
    }
    joined[k].teams.push_back(members);
    into.push_back(k);
  }
  return result;
}

}  // namespace busbar::replay
