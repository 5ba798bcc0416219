// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace busbar {

/// Journal path for each input, in order: `folder`/STEM.jsonl. If stems are equal, all names get the parent folders
/// needed to tell most of them apart, at most three: n2.all_gather.jsonl and n8.all_gather.jsonl for n2/all_gather.log
/// and n8/all_gather.log. Those still equal get their suffix, or a number: x-2.jsonl. Folders are those of the paths as
/// given, so that names do not depend on the current folder. Unsafe characters become "-".
/// Throws UsageError if an input is given twice.
[[nodiscard]] std::vector<std::filesystem::path> journal_names(const std::vector<std::string>& inputs,
                                                               const std::filesystem::path& folder);

/// Journal path for each run of an input: `file` for a single run, else results/STEM.NAME.jsonl with the run's name
/// before the suffix. Unsafe characters in a name become "-"; equal names get a number.
[[nodiscard]] std::vector<std::filesystem::path> run_files(const std::filesystem::path& file,
                                                           const std::vector<std::string>& names);

}  // namespace busbar
