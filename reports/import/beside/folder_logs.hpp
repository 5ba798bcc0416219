// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "reports/import/beside/beside.hpp"

namespace busbar {

/// The logs in a folder and the folders below it.
struct FolderLogs {
  std::vector<std::string> logs;  ///< sorted; those that an importer recognises
  std::shared_ptr<const BesideFiles> companions;
  std::size_t unknown = 0;            ///< files that are neither
  std::vector<std::string> warnings;  ///< companions of which nothing can be read
  std::vector<std::string> failed;    ///< files that cannot be read, and why
};

/// Largest log, in bytes.
inline constexpr std::uintmax_t largest_log = std::uintmax_t{256} << 20;

/// Reads a file, or what comes from a pipe. Throws UsageError if it is unreadable or larger than a log of any tool.
[[nodiscard]] std::string read_log(const std::string& file);

/// Looks at all files below a folder. Leaves out hidden files and folders, records (*.jsonl) and links to files below
/// the folder; folders that are links are not entered. Throws UsageError if the folder cannot be read.
[[nodiscard]] FolderLogs logs_in_folder(const std::string& folder);

}  // namespace busbar
