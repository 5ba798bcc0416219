// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

/// One line of a journal as text, and parsed fast.
namespace busbar {

/// Removes the content of lists from a line without parsing it: of each of `keys` the first.
void empty_lists(std::string& line, std::vector<std::string_view> keys);

/// Removes members that are null or an empty list or map, where an absent key reads the same. In imported records they
/// are most members, and half of the time to parse them. Other text stays as it is, also if it is no JSON.
void drop_empty_members(std::string& line);

/// Throws Error for implausibly long texts: on Linux a label or command argument has at most 128 KiB.
void refuse_long_texts(const std::string& line);

/// Parses without empty members. Throws like parse_json(); errors state the column in `line`.
[[nodiscard]] nlohmann::json parse_line(const std::string& line);

}  // namespace busbar
