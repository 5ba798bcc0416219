// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace busbar {

/// A journal's file for each input, in order: `folder`/STEM.jsonl. Where stems are equal, all names get as many of
/// their folders' names in front as tell them apart: n2.all_gather.jsonl and n8.all_gather.jsonl for n2/all_gather.log
/// and n8/all_gather.log. Throws UsageError where an input is given twice.
[[nodiscard]] std::vector<std::filesystem::path> journal_names(const std::vector<std::string>& inputs,
                                                               const std::filesystem::path& folder);

/// A journal's file for each run of one input: `file` where it is the only one, else `file` with the run's name before
/// its suffix: results/STEM.NAME.jsonl. Of a name, characters that file names should not have are "-"; equal ones get a
/// number.
[[nodiscard]] std::vector<std::filesystem::path> run_files(const std::filesystem::path& file,
                                                           const std::vector<std::string>& names);

}  // namespace busbar
