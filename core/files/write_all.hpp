// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string_view>

namespace busbar {

/// Writes `text` to an open file. Returns the number of bytes written; if that is not all, errno says why.
[[nodiscard]] std::size_t write_all(int file, std::string_view text);

}  // namespace busbar
