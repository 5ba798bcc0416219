// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/record/fwd.hpp"

/// Rows of cases with work between start and wait of a call.
namespace busbar {

struct TableColumns;

/// "96.1": the hidden share in per cent; "-" if unknown.
[[nodiscard]] std::string hidden_percent(const CaseRecord&);
/// Half-width of its interval in percentage points; "-" if there is none.
[[nodiscard]] std::string hidden_half_width(const CaseRecord&);

/// Explanation of the rows; lines start with "#".
[[nodiscard]] std::string overlap_head();
/// Two lines, without the name of the series.
[[nodiscard]] std::string overlap_columns(TableColumns);
/// Row without grade and notes, of a case with a time.
[[nodiscard]] std::string overlap_row(const CaseRecord&, TableColumns);

}  // namespace busbar
