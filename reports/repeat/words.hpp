// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace busbar::repeat {

using Words = std::vector<std::string>;

/// What stands behind "--" each time: "-- mpirun ... -- mpirun ..." are two commands. Throws UsageError where there is
/// none, where one is empty, launches neither busbar-bench nor busbar-train, or names --out or --resume itself.
[[nodiscard]] std::vector<Words> split_commands(const Words& rest);

/// "busbar-bench": the program of busbar that a command launches; empty: none.
[[nodiscard]] std::string program_of(const Words& command);

/// The command with what a short launch wants, as far as it does not say otherwise: a record in `out`, an end after
/// `budget_s`, a short look at the machine's noise.
[[nodiscard]] Words short_launch(Words command, const std::filesystem::path& out, std::optional<double> budget_s);

}  // namespace busbar::repeat
