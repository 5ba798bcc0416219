// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/record/fwd.hpp"
#include "reports/import/bandwidths.hpp"
#include "reports/import/case_lists.hpp"
#include "reports/import/nccl/nccl_log.hpp"
#include "reports/import/nccl/nccl_program.hpp"

namespace busbar {

/// The cases of a job of nccl-tests, and what was noticed while its rows were made into them.
struct NcclCases {
  CaseKey key;  ///< what all have in common: without type, op, root, bytes, in place
  CaseList list;
  bool old_errors = false;  ///< the log holds the largest difference, not a number of wrong elements
  bool all_passed = false;  ///< the log says that no value was out of bounds
  std::optional<int> calls_per_sample;
  PrintedBandwidths bandwidths = {};
};

/// Two cases a row, or one where it has one half. `head` has ranks, nodes and method already.
[[nodiscard]] NcclCases nccl_cases(const NcclLog&, const NcclJob&, const RunRecord& head, const NcclLayout&,
                                   const NcclProgram&);

}  // namespace busbar
