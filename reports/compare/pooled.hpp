// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/record/fwd.hpp"

namespace busbar::report {

/// Pools the launches for each value of a criterion (compare::find_criterion) into one run to draw instead, in order of
/// appearance. A case has the geometric mean of the launches' times, with a 95 % interval from their spread. Only
/// successful cases with a time are used; trainings and labels that differ between launches are left out. Throws
/// UsageError, naming `flag`, if nothing has that name.
[[nodiscard]] std::vector<Run> pooled(std::string_view flag, const std::string& name, const std::vector<Run>&);

}  // namespace busbar::report
