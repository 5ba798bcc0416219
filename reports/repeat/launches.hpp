// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/error.hpp"
#include "reports/repeat/request.hpp"

namespace busbar::repeat {

/// Launches commands until a limit is reached and prints the table: after each launch on a terminal, else at the end.
/// Starts no launch that would exceed the time limit, and ends one that does. Returns ok; failed if a launch failed or
/// nothing was measured; interrupted after SIGINT or SIGTERM. Throws UsageError if the record has launches of other
/// commands.
[[nodiscard]] Exit run_launches(const Request&);

}  // namespace busbar::repeat
