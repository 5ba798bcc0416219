// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string_view>

namespace busbar {

/// True for a line in which a launcher, a batch system or the C library says that a program was ended.
[[nodiscard]] bool is_abort_line(std::string_view line);

/// The number behind "Exit code:", as launchers write it.
[[nodiscard]] std::optional<int> exit_code_of(std::string_view line);

}  // namespace busbar
