// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/record/case_key.hpp"
#include "core/record/fwd.hpp"
#include "reports/document/document.hpp"

/// A history of launches: a folder of records, one file a launch, named by when it started, so that any tool that
/// handles files handles it. Samples are left out of them.
namespace busbar::history {

/// Puts a record into the folder, which is made if need be; returns the file. Throws UsageError where this run is there
/// already, or holds no case that is ok.
std::filesystem::path add(const std::filesystem::path& folder, const std::filesystem::path& record);

/// A time at which cases became slower or faster for good.
struct Change {
  std::string since;        ///< start of the first launch behind it; its file where that is not known
  std::string last_before;  ///< the same of the last launch before it
  double p = 1;
  struct Case {
    CaseKey key;
    double slowdown = 1;  ///< how many times as long since then
  };
  std::vector<Case> cases;
};

/// Changes of the figures of all cases that most launches have, in the order of time.
/// `launches` are in the order of their start.
[[nodiscard]] std::vector<Change> changes(std::span<const Run* const> launches);

/// Its cases, with since when and how sure.
[[nodiscard]] report::Table table_of(const Change&);

/// Launches with what tells them apart, then the changes.
[[nodiscard]] report::Document document(const std::string& folder, const std::vector<Run>& runs,
                                        const std::vector<Change>&);

}  // namespace busbar::history
