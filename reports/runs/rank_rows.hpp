// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "core/record/case_record.hpp"

namespace busbar::report {

/// Rank within the job of a row of CaseRecord::usage or telemetry. These have one row per entry of CaseRecord::ranks,
/// which excludes ranks that did not take part in the case.
[[nodiscard]] inline int rank_of_row(const CaseRecord& c, std::size_t row) {
  return row < c.ranks.size() ? c.ranks[row].rank : static_cast<int>(row);
}

/// Row of a rank of the job; the number of rows if it has none.
[[nodiscard]] inline std::size_t row_of_rank(const CaseRecord& c, std::size_t rows, int rank) {
  for (std::size_t row = 0; row < rows; ++row)
    if (rank_of_row(c, row) == rank) return row;
  return rows;
}

}  // namespace busbar::report
