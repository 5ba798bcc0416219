// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>

/// The writer of a file holds a lock on it (flock) until all its descriptors are closed. Over NFS the server holds the
/// lock.
namespace busbar {

/// True if this process has the lock, or the file system does not support locks; false if another process has it.
/// Throws Error if locking fails otherwise.
[[nodiscard]] bool lock_for_writing(int file);

/// True if a process holds the lock for writing; false if none does or if this is unknown.
[[nodiscard]] bool is_being_written(const std::filesystem::path& path);

}  // namespace busbar
