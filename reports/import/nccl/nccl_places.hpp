// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

#include "core/record/fwd.hpp"
#include "reports/import/importer.hpp"
#include "reports/import/nccl/nccl_log.hpp"

/// How many ranks a job of nccl-tests had, and where they were.
namespace busbar {

/// Ranks that know of each other, in order. Where several jobs write into one log without marks, those of one of them.
[[nodiscard]] std::vector<NcclRank> ranks_of(const NcclJob&);

/// How many processes printed a table of their own.
[[nodiscard]] std::size_t copies_of(const NcclJob&);

/// Ranks and nodes of the whole job: what the log lists or says, else what the user says. Throws UsageError where
/// neither does, or they contradict each other.
[[nodiscard]] NcclLayout job_layout(const ImportRequest&, const NcclJob&);

/// The layout that a collective runs on: NCCL_TESTS_SPLIT makes `groups`, and bandwidth is per group, that of the first
/// rank. Nodes are empty where groups differ.
[[nodiscard]] NcclLayout group_layout(const std::vector<NcclRank>&, int& groups);

/// Hosts, GPUs and ranks as rows of the record.
void place(RunRecord& head, const std::vector<NcclRank>&);

}  // namespace busbar
