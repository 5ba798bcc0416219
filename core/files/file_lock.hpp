// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>

/// Who writes a file holds a lock on it (flock), until it is closed everywhere. Over NFS that is a lock of the server.
namespace busbar {

/// True: this process has the lock, or the file system knows none. False: another one has it. Throws Error where the
/// system fails for another reason.
[[nodiscard]] bool lock_for_writing(int file);

/// True where somebody holds the lock for writing; false also where that cannot be told.
[[nodiscard]] bool is_being_written(const std::filesystem::path& path);

}  // namespace busbar
