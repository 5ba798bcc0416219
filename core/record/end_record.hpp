// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "core/clock_facts.hpp"
#include "core/settling.hpp"

namespace busbar {

struct EndRecord {
  std::string status;  ///< ok, failed (some case did), aborted, interrupted, output, unknown
  std::optional<std::string> reason;
  std::optional<int> exit_code;
  int ok = 0, skipped = 0, failed = 0;
  std::optional<std::string> end_utc;
  std::optional<double> wall_s;
  std::optional<ClockChecks> clock;  ///< looks at the clocks during the run; empty where there were none
  std::optional<Settling> settling;  ///< of the ranks of a host; empty where they were not settled
};

}  // namespace busbar
