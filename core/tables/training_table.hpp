// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/record/fwd.hpp"

/// What core/tables/case_table.hpp prints of cases of kind "training".
namespace busbar {

/// What the rows mean; lines start with "#".
[[nodiscard]] std::string training_head();
/// The same of a record that was imported.
[[nodiscard]] std::string imported_training_head();
/// Which block of the table a case belongs to: points of one curve share it.
[[nodiscard]] std::string training_series(const CaseRecord&);
/// `narrow`: for 80 columns, without speedup, the interval of the efficiency, hidden communication and the check.
[[nodiscard]] std::string training_columns(const CaseRecord&, bool narrow);
/// Without the letters of its notes.
[[nodiscard]] std::string training_row(const CaseRecord&, bool narrow);
/// Figures that are in no column: of jobs side by side, of a pipeline.
[[nodiscard]] std::vector<std::string> training_details(const CaseRecord&);

/// What the time of a step went into: kinds of layers, the processor's peak, reorders, memory. Lines start with "#".
/// Empty where that is not known.
[[nodiscard]] std::string explain(const CaseRecord&);

}  // namespace busbar
