// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace busbar {

/// The first key of a text that is a JSON object, which tells whose output it is; empty for any other text.
[[nodiscard]] std::string_view first_json_key(std::string_view text);

}  // namespace busbar
