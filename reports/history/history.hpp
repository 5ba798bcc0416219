// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/record/case_key.hpp"
#include "core/record/fwd.hpp"
#include "reports/document/document.hpp"

/// History of launches: a folder with one record file per launch, named by start time for use with ordinary file tools.
/// The records contain no samples.
namespace busbar::history {

/// Copies a record into the folder, which is created if needed, and returns the new file. Throws UsageError if the run
/// is already there or has no case with status ok.
std::filesystem::path add(const std::filesystem::path& folder, const std::filesystem::path& record);

/// A time at which cases became permanently slower or faster.
struct Change {
  std::string since;        ///< start of the first launch after the change; its file if unknown
  std::string last_before;  ///< start of the last launch before the change; its file if unknown
  double p = 1;
  struct Case {
    CaseKey key;
    double slowdown = 1;  ///< time ratio, after over before
  };
  std::vector<Case> cases;
};

/// Changes over time, for all cases that at least half of the launches have. `launches` must be sorted by start.
[[nodiscard]] std::vector<Change> changes(std::span<const Run* const> launches);

/// The cases of a change; the title has its start and p-value.
[[nodiscard]] report::Table table_of(const Change&);

/// The launches with their labels and versions, then the changes.
[[nodiscard]] report::Document document(const std::string& folder, const std::vector<Run>& runs,
                                        const std::vector<Change>&);

}  // namespace busbar::history
