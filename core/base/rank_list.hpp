// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace busbar {

/// Ranks as a list: "0-7", "0,3,5", "0-56:8" (0, 8, ... 56, as taskset writes it). `ranks` are ascending.
[[nodiscard]] std::string rank_list(std::span<const int> ranks);

/// Parses a list of rank_list()'s form, in the order of the text. Throws UsageError that names `flag`, the text and the
/// form.
[[nodiscard]] std::vector<int> parse_rank_list(std::string_view flag, std::string_view text);

}  // namespace busbar
