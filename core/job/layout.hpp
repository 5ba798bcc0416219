// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace busbar {

/// Shape of a part of a job.
struct NodesByRanks {
  int nodes = 1, ranks_per_node = 1;
};

/// "2x4".
[[nodiscard]] std::string to_string(const NodesByRanks&);

/// Parses "2x4": two nodes with four ranks each. Throws UsageError that names `flag`.
[[nodiscard]] NodesByRanks parse_layout(std::string_view flag, const std::string& word);

/// The first ranks of the first hosts with enough ranks, ascending. `hosts`: host of each rank, from 0. Throws
/// UsageError (naming --layout) if there are too few.
[[nodiscard]] std::vector<int> ranks_of(const NodesByRanks&, const std::vector<int>& hosts);

}  // namespace busbar
