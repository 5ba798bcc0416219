// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string_view>

namespace busbar {

/// Path of a run's unfinished cases: FILE.unfinished beside its journal FILE, with links resolved. It is itself a
/// record, a run line and cases. It is replaced atomically, so that after a crash either the last or the previous state
/// remains. When the journal ends or is resumed, these cases become part of it.
[[nodiscard]] std::filesystem::path unfinished_beside(const std::filesystem::path& journal);

/// Replaces that file by `lines`, synced first, so that a crash of the machine leaves this or the previous state. Does
/// nothing if the folder permits no new files. Throws OutputError if writing fails.
void write_unfinished(const std::filesystem::path& journal, std::string_view lines);

/// Removes that file, if it exists.
void remove_unfinished(const std::filesystem::path& journal);

}  // namespace busbar
