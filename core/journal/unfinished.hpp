// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string_view>

namespace busbar {

/// Where cases of a run that go on are kept as they stand, beside its journal FILE (of which this is the name, whatever
/// links lead to it): FILE.unfinished. It is a record by itself, a run line and cases, and is put in its place whole
/// each time: whatever ends the program, the last state is there or the one before it. Who ends the journal, or goes on
/// with it, takes these cases into it.
[[nodiscard]] std::filesystem::path unfinished_beside(const std::filesystem::path& journal);

/// Puts `lines` in the place of what is there, synced before that, so that a crash of the machine leaves this state or
/// the one before it. Nothing where the folder lets no file be made. Throws OutputError where it cannot be written.
void write_unfinished(const std::filesystem::path& journal, std::string_view lines);

/// Nothing where there is none.
void remove_unfinished(const std::filesystem::path& journal);

}  // namespace busbar
