// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string_view>

#include "core/record/case_key.hpp"

namespace busbar {

/// Parses a collective's key from its to_string() form, for the group of all ranks. Empty for any other text, including
/// training keys.
[[nodiscard]] std::optional<CaseKey> parse_case_key(std::string_view text);

}  // namespace busbar
