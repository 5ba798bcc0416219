// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string_view>

namespace busbar {

/// Writes `text` to an open file. How many bytes of it were written; errno says why not all.
[[nodiscard]] std::size_t write_all(int file, std::string_view text);

}  // namespace busbar
