// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string_view>

namespace busbar::report {

/// Writes `text` into a temporary file beside `path` and renames it, so that `path` is never half written. What is no
/// regular file (a pipe, /dev/null) is written to as it is. Throws UsageError, naming `flag`, where it cannot be
/// written.
void write_whole(const std::filesystem::path& path, std::string_view text, std::string_view flag);

/// The same for what is too large to be held: `write` puts it into the stream.
void write_whole(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write,
                 std::string_view flag);

}  // namespace busbar::report
