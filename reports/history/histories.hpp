// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/record/fwd.hpp"
#include "reports/history/changes.hpp"

/// Launches of one configuration over days.
namespace busbar::history {

/// Hours since 1970 at the start of a launch; empty if the record has no start, or in another format than
/// "2026-01-31T12:00:00Z".
[[nodiscard]] std::optional<double> start_hours(const Run&);

struct History {
  std::string labels;                ///< "platform=vm"; may be empty
  std::vector<const Run*> launches;  ///< by start
  std::vector<Change> changes;       ///< changes(launches)
};

/// Launches with the same labels, at least four within at least half a day: those of one afternoon are no trend.
/// Without simulated runs, whose start times mean nothing. The runs must outlive the result.
[[nodiscard]] std::vector<History> histories_of(const std::vector<Run>&);

}  // namespace busbar::history
