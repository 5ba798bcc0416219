// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <optional>
#include <vector>

#include "core/base/error.hpp"
#include "core/record/fwd.hpp"
#include "reports/repeat/words.hpp"

namespace busbar::repeat {

/// What is to be launched, and until when.
struct Request {
  std::vector<Words> commands;     ///< that alternate
  std::optional<int> launches;     ///< of each command
  std::optional<double> within_s;  ///< all of them
  std::optional<double> width;     ///< until the widest interval is plus or minus this, as a share
  std::filesystem::path out;
  bool resume = false;  ///< `out` is there, and what it holds counts
};

/// Launches until one of the limits holds, and prints the table: again after each launch on a terminal, else in the
/// end. A launch that would not end in time is not begun; one that does not is ended. Gives ok; failed where a launch
/// failed or nothing was measured; interrupted after SIGINT or SIGTERM. Throws UsageError for a record that holds other
/// commands.
[[nodiscard]] Exit run_launches(const Request&);

}  // namespace busbar::repeat
