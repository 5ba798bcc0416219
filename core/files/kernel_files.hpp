// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Reading /proc and /sys without ever failing: whatever is missing, unreadable or odd is "nothing".
namespace busbar::facts {

using Path = std::filesystem::path;

/// The content of a regular file, cut at 4 MiB; nothing where there is none to read.
[[nodiscard]] std::optional<std::string> text(const Path&);

/// The first line without blanks around it; nothing where it is empty or no text a fact can be (see clean()).
[[nodiscard]] std::optional<std::string> line(const Path&);

/// The first line as a decimal integer; nothing where it is anything else.
[[nodiscard]] std::optional<std::int64_t> number(const Path&);

/// Field `number` of /proc/PID/stat, counted as in proc(5) and from 3 on: 4 is the parent, 22 when it started; "" where
/// there is no such process.
[[nodiscard]] std::string field_of_process(int pid, std::size_t number);

/// Names in a folder, sorted.
[[nodiscard]] std::vector<std::string> entries(const Path& folder);

/// Last component of what a symbolic link points to: how /sys names the driver of a device.
[[nodiscard]] std::optional<std::string> link_name(const Path&);

/// True for anything that is there, also a link that leads nowhere.
[[nodiscard]] bool is_there(const Path&);

[[nodiscard]] std::string_view trimmed(std::string_view);

/// `text` without blanks around it, if it can be a fact: not empty, at most 256 bytes, no control characters. What is
/// not ASCII becomes "?", so that a fact can always be written as JSON.
[[nodiscard]] std::optional<std::string> clean(std::string_view text);

[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

/// The value behind the first line "key<blanks><separator> value" of `text`.
[[nodiscard]] std::optional<std::string_view> value_of(std::string_view text, std::string_view key, char separator);

/// The CPUs that a list like "0-3,8" names; nothing where it is no such list.
[[nodiscard]] std::optional<std::vector<int>> numbers_of(std::string_view cpu_list);

/// How many CPUs a list like "0-3,8" names; nothing where it is no such list.
[[nodiscard]] std::optional<int> count_of(std::string_view cpu_list);

/// All of `text` as a decimal integer.
[[nodiscard]] std::optional<std::int64_t> to_number(std::string_view text);

}  // namespace busbar::facts
