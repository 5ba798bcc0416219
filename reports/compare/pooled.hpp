// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/record/run.hpp"
#include "reports/compare/point.hpp"

namespace busbar::report {

/// Runs to draw instead of the launches that they combine. Moved, never copied: `launches` refers to `runs`.
struct Pooled {
  Pooled() = default;
  Pooled(Pooled&&) = default;
  Pooled& operator=(Pooled&&) = default;

  std::vector<Run> runs;  ///< in order of appearance
  /// Times of the launches behind each case of `runs`, by start.
  std::unordered_map<const CaseRecord*, std::vector<compare::FigureOfLaunch>> launches;
};

/// Pools the launches for each value of a criterion (compare::find_criterion) into one run. A case has the geometric
/// mean of the launches' times, with a 95 % interval from their spread. Only successful cases with a time are used;
/// trainings and labels that differ between launches are left out. The launches must outlive the result. Throws
/// UsageError, naming `flag`, if nothing has that name.
[[nodiscard]] Pooled pooled(std::string_view flag, const std::string& name, const std::vector<Run>&);

}  // namespace busbar::report
