// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/record/fwd.hpp"

/// Rows of cases with work between start and wait of a call.
namespace busbar {

/// "96.1": the hidden share in per cent; "-" if unknown.
[[nodiscard]] std::string hidden_percent(const CaseRecord&);
/// Half-width of its interval in percentage points; "-" if there is none.
[[nodiscard]] std::string hidden_half_width(const CaseRecord&);

/// Explanation of the rows; lines start with "#".
[[nodiscard]] std::string overlap_head();
/// Two lines, without the name of the series. `within`: with the half-width of this launch.
[[nodiscard]] std::string overlap_columns(bool narrow, bool within);
/// Row without grade and notes, of a case with a time.
[[nodiscard]] std::string overlap_row(const CaseRecord&, bool narrow, bool within);

}  // namespace busbar
