// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "core/record/fwd.hpp"

/// Totals of cases of kind "replay".
namespace busbar {

/// By collective and group, beside the times in the trace, and what was left out. Lines start with "#". Empty for other
/// cases.
[[nodiscard]] std::string replay_totals(const CaseRecord&);

/// A ratio of times: "2.65", "0.0048"; "-" if it is unknown.
[[nodiscard]] std::string replay_ratio(std::optional<double> ratio);

}  // namespace busbar
