// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "core/record/fwd.hpp"
#include "reports/import/bandwidths.hpp"
#include "reports/import/case_lists.hpp"
#include "reports/import/nccl/nccl_log.hpp"
#include "reports/import/nccl/nccl_program.hpp"

namespace busbar {

/// Cases of an nccl-tests job, and observations made while converting its rows.
struct NcclCases {
  CaseKey key;  ///< common key parts: without type, op, root, bytes, in place
  CaseList list;
  bool old_errors = false;  ///< the log has the largest difference instead of a count of wrong elements
  bool all_passed = false;  ///< the log reports no out-of-bounds values
  std::optional<int> calls_per_sample;
  PrintedBandwidths bandwidths = {};
  std::uint64_t contradicted_bytes = 0;  ///< size of the first whose bandwidths are not size/time
};

/// Converts each row to two cases, or one if it has only one half. `head` must have ranks, nodes and method.
[[nodiscard]] NcclCases nccl_cases(const NcclLog&, const NcclJob&, const RunRecord& head, const NcclLayout&,
                                   const NcclProgram&);

}  // namespace busbar
