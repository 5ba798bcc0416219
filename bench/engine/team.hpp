// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/job/ranks.hpp"
#include "core/ranks/group.hpp"

namespace busbar {

/// The ranks that make a call together, as one of them sees it. The ranks of a Runner's Group are one team, or several
/// of the same size that make the same call in step, each among themselves.
struct Team {
  int rank = 0;                     ///< of this rank in its team
  World world;                      ///< a team's ranks and hosts, alike for all teams
  std::string kind = "collective";  ///< of the cases, as CaseKey::kind
  std::string level = "world";      ///< as CaseKey::group
};

/// All ranks of a group are one team.
[[nodiscard]] inline Team one_team(const Group& group, const Ranks& ranks) {
  return {.rank = group.rank(), .world = world_of(ranks.hosts)};
}

}  // namespace busbar
