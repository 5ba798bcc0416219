// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "bench/replay/schedule.hpp"
#include "bench/replay/wanted.hpp"

namespace busbar::replay {

/// The name of a new level: the job's description of the group if there is one, else its ranks.
[[nodiscard]] std::string level_name(const std::vector<Level>&, const std::string& about, const Members&, int ranks);

/// The level of a call that one trace says for all ranks, added if it is new. Throws Unsupported if the groups of other
/// ranks are unknown.
[[nodiscard]] std::size_t level_for_all(std::vector<Level>&, const Wanted&, int ranks);

struct JoinedLevels {
  std::vector<Level> levels;
  std::vector<std::size_t> into;  ///< the new level of each old one
};

/// Makes one level of disjoint groups of equal size whose ranks make the same calls over them.
[[nodiscard]] JoinedLevels join_levels(const Schedule&);

}  // namespace busbar::replay
