// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/record/fwd.hpp"
#include "reports/compare/comparison.hpp"

/// Assigns runs and cases to sides.
namespace busbar::compare {

/// The first `a_runs` runs are side A, the others side B; `about` describes the sides.
[[nodiscard]] Request between(std::vector<std::string> about, std::size_t a_runs,
                              const std::vector<std::string>& across);

/// One side for each value of a criterion (find_criterion()); sides are sorted by value, numbers numerically. Runs are
/// compared only if all their other labels are equal, except those in `pool`. With a `reference`, its side is the first
/// and the only one that others are compared with. Throws UsageError if nothing has that name, all values are equal, or
/// none is the reference.
[[nodiscard]] Request by(std::string_view name, const std::vector<Run>& runs, std::span<const std::string> pool,
                         const std::vector<std::string>& across, std::string_view reference = "");

/// Throws UsageError for a name that is neither a key field nor a method field.
void check_across(const std::vector<std::string>& names);

/// "platform=vm, interconnect=hdr": labels except `but` and those in `pool`.
[[nodiscard]] std::string other_labels(const RunRecord&, std::string_view but, std::span<const std::string> pool);

}  // namespace busbar::compare
