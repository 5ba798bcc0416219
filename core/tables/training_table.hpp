// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/record/fwd.hpp"

/// Rows of cases of kind "training".
namespace busbar {

/// Explanation of the rows; lines start with "#".
[[nodiscard]] std::string training_head();
/// The same for an imported record.
[[nodiscard]] std::string imported_training_head();
/// Block of the table that a case belongs to. Points of one curve share a block.
[[nodiscard]] std::string training_series(const CaseRecord&);
/// `narrow`: for 80 columns, without speedup, interval of the efficiency, hidden communication and check.
[[nodiscard]] std::string training_columns(const CaseRecord&, bool narrow);
/// Row without the letters of its notes.
[[nodiscard]] std::string training_row(const CaseRecord&, bool narrow);
/// Details that no column shows: concurrent jobs, pipeline.
[[nodiscard]] std::vector<std::string> training_details(const CaseRecord&);

/// Breakdown of the step time: kinds of layers, CPU peak, reorders, memory. Lines start with "#". Empty if unknown.
[[nodiscard]] std::string explain(const CaseRecord&);

}  // namespace busbar
