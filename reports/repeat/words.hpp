// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace busbar::repeat {

using Words = std::vector<std::string>;

/// Splits at "--": "-- mpirun ... -- mpirun ..." are two commands. Throws UsageError if there is none, or if one
/// launches neither busbar-bench nor busbar-train or sets --out or --resume.
[[nodiscard]] std::vector<Words> split_commands(const Words& rest);

/// The busbar program that a command launches: "busbar-bench"; empty if none.
[[nodiscard]] std::string program_of(const Words& command);

/// Adds options for a short launch, unless the command sets them: a record in `out`, a budget of `budget_s`, a short
/// noise measurement.
[[nodiscard]] Words short_launch(Words command, const std::filesystem::path& out, double budget_s);

}  // namespace busbar::repeat
