// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "core/journal/journal.hpp"
#include "core/record/fwd.hpp"

namespace busbar::report {

/// Records that a command line names: a folder stands for all *.jsonl in it, in the order of their names. Throws
/// UsageError for a folder without any.
[[nodiscard]] std::vector<std::filesystem::path> record_files(const std::vector<std::string>& named);

/// Reads them all, each launch of `busbar repeat` as a run, on as many threads as there are CPUs. Throws what
/// read_journal() throws, for the first such file.
[[nodiscard]] std::vector<Run> load(const std::vector<std::filesystem::path>& files, Detail detail = Detail::all);

}  // namespace busbar::report
