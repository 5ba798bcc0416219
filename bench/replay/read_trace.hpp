// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bench/replay/trace.hpp"

namespace busbar::replay {

/// Reads a trace; its format is found by its content. `file` is for messages. Throws UsageError, one line that names
/// the file and the entry.
[[nodiscard]] Trace parse_trace(std::string_view text, const std::string& file);
/// Throws UsageError also if the file cannot be read, is too large, or is compressed.
[[nodiscard]] Trace read_trace(const std::filesystem::path& file);

/// The files, with folders replaced by their *.json files in natural order (rank-2 before rank-10). Throws UsageError.
[[nodiscard]] std::vector<std::filesystem::path> list_traces(const std::vector<std::string>& words);

}  // namespace busbar::replay
