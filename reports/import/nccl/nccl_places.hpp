// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "core/record/fwd.hpp"
#include "reports/import/nccl/nccl_log.hpp"

/// Ranks of an nccl-tests job as its log lists them, and their placement.
namespace busbar {

/// Ranks of one job, in order. If several jobs write untagged lines to one log, the ranks of one of them.
[[nodiscard]] std::vector<NcclRank> ranks_of(const NcclJob&);

/// Number of processes that printed their own table.
[[nodiscard]] std::size_t copies_of(const NcclJob&);

/// How many ranks are listed on each host.
[[nodiscard]] std::map<std::string, int> ranks_by_host(const std::vector<NcclRank>&);

/// Ranks and nodes as listed.
[[nodiscard]] NcclLayout layout_of(const std::vector<NcclRank>&);

/// Layout of one collective: NCCL_TESTS_SPLIT makes `groups`, and bandwidth is that of the first rank's group. Members
/// that vary between groups are empty.
[[nodiscard]] NcclLayout group_layout(const std::vector<NcclRank>&, int& groups);

/// Adds hosts, GPUs and rank placement to the record.
void place(RunRecord& head, const std::vector<NcclRank>&);

}  // namespace busbar
