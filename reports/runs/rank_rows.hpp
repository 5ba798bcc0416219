// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "core/record/case_record.hpp"

namespace busbar::report {

/// The rank of the job that a row of CaseRecord::usage or telemetry is of: these have a row for each of
/// CaseRecord::ranks, which are not all of the job where a case was measured by some of them.
[[nodiscard]] inline int rank_of_row(const CaseRecord& c, std::size_t row) {
  return row < c.ranks.size() ? c.ranks[row].rank : static_cast<int>(row);
}

/// The row of a rank of the job; the number of rows where it has none.
[[nodiscard]] inline std::size_t row_of_rank(const CaseRecord& c, std::size_t rows, int rank) {
  for (std::size_t row = 0; row < rows; ++row)
    if (rank_of_row(c, row) == rank) return row;
  return rows;
}

}  // namespace busbar::report
