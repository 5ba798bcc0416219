// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace busbar {

/// The shape of a part of a job: nodes and ranks on each.
struct NodesByRanks {
  int nodes = 1, ranks_per_node = 1;
};

/// "2x4".
[[nodiscard]] std::string to_string(const NodesByRanks&);

/// "2x4": two nodes, four ranks on each. Throws UsageError that names `flag`.
[[nodiscard]] NodesByRanks parse_layout(std::string_view flag, const std::string& word);

/// The first ranks of the first hosts that have as many, ascending. `hosts`: of each rank, as a number from 0. Throws
/// UsageError (of --layout) where there are too few.
[[nodiscard]] std::vector<int> ranks_of(const NodesByRanks&, const std::vector<int>& hosts);

}  // namespace busbar
