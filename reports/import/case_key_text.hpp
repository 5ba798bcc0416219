// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string_view>

#include "core/record/case_key.hpp"

namespace busbar {

/// The key of a collective behind what to_string() makes of it, of all ranks of a job; nothing for any other text, that
/// of a training among them.
[[nodiscard]] std::optional<CaseKey> parse_case_key(std::string_view text);

}  // namespace busbar
