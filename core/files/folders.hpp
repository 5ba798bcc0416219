// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>

namespace busbar {

/// Makes a folder and those above it, as far as they are not there, and brings their names to disk. What cannot be made
/// is left to show when a file is created in it. Throws Error where a name cannot be brought to disk.
void make_folders(const std::filesystem::path& folder);

/// Brings the names in a folder to disk, so that a file that was just created outlives a crash of the machine. Nothing
/// where the file system cannot do that. Throws Error where it fails.
void sync_folder(const std::filesystem::path& folder);

}  // namespace busbar
