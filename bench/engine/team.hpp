// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/backend/backend.hpp"
#include "core/job/ranks.hpp"
#include "core/ranks/group.hpp"
#include "core/record/case_key.hpp"

namespace busbar {

/// The ranks that call a collective together, as one of them sees it. A Runner's Group is one team, or several teams of
/// equal size that make the same call in step.
struct Team {
  int rank = 0;                          ///< rank within the team
  World world;                           ///< ranks and hosts of a team; all teams are alike
  CaseKind kind = CaseKind::collective;  ///< of the cases
  std::string level = "world";           ///< CaseKey::group of the cases
  Group* members = nullptr;              ///< the ranks of this team; null: the Runner's Group is the team
  /// All teams, as ranks of the Runner's Group; fewer than two: no times by team.
  std::vector<std::vector<int>> teams = {};
};

/// A second kind of teams of the same ranks, whose calls a Runner measures alone and in alternation with the first's.
struct SecondKind {
  Backend& backend;  ///< for this rank's team of the second kind
  Team team;         ///< of the second kind
  Team both;         ///< world: all ranks; level: names both kinds
};

/// A team of all ranks of a group.
[[nodiscard]] inline Team one_team(const Group& group, const Ranks& ranks) {
  return {.rank = group.rank(), .world = world_of(ranks.hosts)};
}

}  // namespace busbar
