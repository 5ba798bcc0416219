// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <optional>
#include <vector>

#include "core/base/error.hpp"
#include "core/record/fwd.hpp"
#include "reports/repeat/words.hpp"

namespace busbar::repeat {

/// The commands to launch, and when to stop.
struct Request {
  std::vector<Words> commands;     ///< run in alternation
  std::optional<int> launches;     ///< per command
  std::optional<double> within_s;  ///< total time limit
  std::optional<double> width;     ///< stop when the widest relative half-width is at most this
  std::filesystem::path out;
  bool resume = false;  ///< continue the record in `out`
};

/// Launches commands until a limit is reached and prints the table: after each launch on a terminal, else at the end.
/// Starts no launch that would exceed the time limit, and ends one that does. Returns ok; failed if a launch failed or
/// nothing was measured; interrupted after SIGINT or SIGTERM. Throws UsageError if the record has launches of other
/// commands.
[[nodiscard]] Exit run_launches(const Request&);

}  // namespace busbar::repeat
