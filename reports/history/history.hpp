// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "core/record/fwd.hpp"
#include "reports/document/document.hpp"
#include "reports/history/changes.hpp"

/// History of launches: a folder with one record file per launch, named by start time for use with ordinary file tools.
/// The records contain no samples.
namespace busbar::history {

/// Copies a record into the folder, which is created if needed, and returns the new file. Throws UsageError if the run
/// is already there or has no case with status ok.
std::filesystem::path add(const std::filesystem::path& folder, const std::filesystem::path& record);

/// What changed in sentences, the launches with their labels and versions, then each change with its cases.
[[nodiscard]] report::Document document(const std::string& folder, const std::vector<Run>& runs,
                                        const std::vector<Change>&);

}  // namespace busbar::history
