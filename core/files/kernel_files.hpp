// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Reads /proc and /sys. Nothing here throws: what is missing, unreadable or malformed is empty.
namespace busbar::facts {

using Path = std::filesystem::path;

/// The content of a regular file, cut at 4 MiB; empty if it cannot be read.
[[nodiscard]] std::optional<std::string> read_text(const Path&);

/// The first line, trimmed; empty if clean() rejects it.
[[nodiscard]] std::optional<std::string> line(const Path&);

/// The first line as a decimal integer; empty if it is anything else.
[[nodiscard]] std::optional<std::int64_t> number(const Path&);

/// Field `number` of /proc/PID/stat, counted as in proc(5), from 3 on: 4 is the parent, 22 the start time. "" if there
/// is no such process.
[[nodiscard]] std::string field_of_process(int pid, std::size_t number);

/// Names in a folder, sorted.
[[nodiscard]] std::vector<std::string> entries(const Path& folder);

/// Last component of a symbolic link's target, e.g. the name of a device's driver in /sys.
[[nodiscard]] std::optional<std::string> link_name(const Path&);

/// True if the path exists, even as a dangling link.
[[nodiscard]] bool is_there(const Path&);

[[nodiscard]] std::string_view trimmed(std::string_view);

/// `text` trimmed, if it can be a fact: not empty, at most 256 bytes, no control characters. Replaces bytes that are
/// not ASCII by "?", so that JSON can always contain it.
[[nodiscard]] std::optional<std::string> clean(std::string_view text);

[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

/// The value in the first line "key<blanks><separator> value" of `text`.
[[nodiscard]] std::optional<std::string_view> value_of(std::string_view text, std::string_view key, char separator);

/// The CPUs in a list such as "0-3,8"; empty if it is malformed.
[[nodiscard]] std::optional<std::vector<int>> numbers_of(std::string_view cpu_list);

/// The number of CPUs in a list such as "0-3,8"; empty if it is malformed.
[[nodiscard]] std::optional<int> count_of(std::string_view cpu_list);

/// The whole `text` as a decimal integer; empty if it is anything else.
[[nodiscard]] std::optional<std::int64_t> to_number(std::string_view text);

}  // namespace busbar::facts
