// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "core/journal/journal.hpp"
#include "core/record/fwd.hpp"

namespace busbar::report {

/// Expands the record files of a command line: a folder becomes all its *.jsonl, sorted by name. Throws UsageError for
/// a folder without any.
[[nodiscard]] std::vector<std::filesystem::path> record_files(const std::vector<std::string>& named);

/// Reads all files, on one thread per CPU; each launch of `busbar repeat` becomes a run. Throws what read_journal()
/// throws for the first bad file.
[[nodiscard]] std::vector<Run> load(const std::vector<std::filesystem::path>& files, Detail detail = Detail::all);

}  // namespace busbar::report
