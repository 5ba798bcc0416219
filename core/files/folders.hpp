// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace busbar {

/// Creates a folder and its missing parents, and syncs their names to disk. Ignores a folder that cannot be created:
/// creating a file in it then fails. Throws Error if syncing fails.
void make_folders(const std::filesystem::path& folder);

/// Syncs the names in a folder to disk, so that a new file survives a crash of the machine. Does nothing if the file
/// system does not support it. Throws Error if syncing fails.
void sync_folder(const std::filesystem::path& folder);

/// Names of the files in `folder` with this extension (".json"), without it, sorted. Empty if there is no such folder.
[[nodiscard]] std::vector<std::string> names_in(const std::filesystem::path& folder, std::string_view extension);

}  // namespace busbar
