// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/record/fwd.hpp"
#include "reports/compare/comparison.hpp"

/// Which runs and cases are which side.
namespace busbar::compare {

/// `a_runs` runs are side A, those behind them side B; `about` says what they are.
[[nodiscard]] Request between(std::vector<std::string> about, std::size_t a_runs,
                              const std::vector<std::string>& across);

/// A side for each value of a label, a field (fields.hpp), a library's version or a variable of the environment, looked
/// for in this order; sides are sorted by value, numbers by size. Runs join only where all their other labels are
/// equal, but for those to pool. Throws UsageError where nothing has that name, or all say the same.
[[nodiscard]] Request by(std::string_view name, const std::vector<Run>& runs, std::span<const std::string> pool,
                         const std::vector<std::string>& across);

/// Throws UsageError for a name that is no key field or method field.
void check_across(const std::vector<std::string>& names);

/// "platform=vm, interconnect=hdr": labels but these.
[[nodiscard]] std::string other_labels(const RunRecord&, std::string_view but, std::span<const std::string> pool);

}  // namespace busbar::compare
