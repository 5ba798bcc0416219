// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/record/case_key.hpp"
#include "core/record/fwd.hpp"

/// What core/tables/case_table.hpp prints of cases that have a name instead of a series over sizes: of kind "function",
/// what another program timed, and "copy", between two devices.
namespace busbar {

/// True for kinds "function", "copy" and any other but collectives, pairs and trainings: these have no sweep over
/// sizes.
[[nodiscard]] bool is_named(const CaseKey&);

/// What tells a case from its neighbours: the function, or between what was copied.
[[nodiscard]] std::string case_name(const CaseKey&);

/// What the rows mean; lines start with "#".
[[nodiscard]] std::string named_head();
/// Which block of the table a case belongs to: functions of one program, or the copies of one test.
[[nodiscard]] std::string named_series(const CaseRecord&);
[[nodiscard]] std::string named_columns(const CaseRecord&);
/// Without the letters of its notes.
[[nodiscard]] std::string named_row(const CaseRecord&);

}  // namespace busbar
