// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string_view>

namespace busbar {

/// True for a line in which a launcher, batch system or the C library reports that a program was killed or aborted.
[[nodiscard]] bool is_abort_line(std::string_view line);

/// The number after "Exit code:", as launchers print it.
[[nodiscard]] std::optional<int> exit_code_of(std::string_view line);

}  // namespace busbar
