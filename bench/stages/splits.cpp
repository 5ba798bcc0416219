// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "bench/stages/stage.hpp"
#include "core/base/error.hpp"

namespace busbar {
namespace {

using Teams = std::vector<std::vector<int>>;

std::string name_of_split(const Split& split) { return fmt::format("--split '{}'", to_string(split)); }

}  // namespace

Stages make_splits(std::span<const Split> splits, const Ranks& ranks) {
  const auto job = static_cast<int>(ranks.hosts.size());
  Stages stages;
  Stage stage;
  for (const Split& split : splits) {
    Teams teams = groups_of(split, job);
    const std::string name = to_string(split);
    if (teams[0].size() < 2) {
      stages.notes.push_back(name_of_split(split) + ": left out, each group has one rank");
      continue;
    }
    if (const std::size_t measure = members_of(teams).size(); measure < ranks.hosts.size())
      stages.notes.push_back(fmt::format("{}: {} of {} ranks are in no group and sleep", name_of_split(split),
                                         ranks.hosts.size() - measure, job));
    if (stage.teams.empty())
      stage = {.name = name, .teams = teams, .levels = {teams.size(), name}};
    else if (stage.teams == teams)
      throw UsageError(fmt::format("{}: forms the same groups as --split '{}'; give two different kinds",
                                   name_of_split(split), stage.levels[0]));
    else if (members_of(stage.teams) != members_of(teams))
      throw UsageError(fmt::format("{}: has other ranks than --split '{}'; two kinds of groups need the same ranks",
                                   name_of_split(split), stage.levels[0]));
    else
      stage.second = {.teams = std::move(teams), .level = name};
  }
  if (stage.teams.empty())
    throw UsageError(
        fmt::format("{}: each group has one rank of the {} of this job; give a rule whose groups have several",
                    name_of_split(splits[0]), job));
  if (!stage.second.teams.empty()) stage.name = stage.both();
  stages.all.push_back(std::move(stage));
  return stages;
}

}  // namespace busbar
