// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/record/case_key.hpp"
#include "core/record/fwd.hpp"

/// Rows of cases with a name instead of a sweep over sizes: of kind "function", timed by another program, and "copy",
/// between two devices.
namespace busbar {

/// True for kinds "function", "copy" and any other except collectives, pairs and trainings.
[[nodiscard]] bool is_named(const CaseKey&);

/// Name of a case within its series: the function, or the endpoints of the copy.
[[nodiscard]] std::string case_name(const CaseKey&);

/// Explanation of the rows; lines start with "#".
[[nodiscard]] std::string named_head();
/// Block of the table that a case belongs to: functions of one program, or copies of one test.
[[nodiscard]] std::string named_series(const CaseRecord&);
[[nodiscard]] std::string named_columns(const CaseRecord&);
/// Row without the letters of its notes.
[[nodiscard]] std::string named_row(const CaseRecord&);

}  // namespace busbar
