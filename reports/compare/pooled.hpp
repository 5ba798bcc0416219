// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/record/fwd.hpp"

namespace busbar::report {

/// A run for each value of a label, a fact or another criterion (compare::find_criterion), in order of appearance, to
/// be drawn in place of the launches that have it: a case has the geometric mean over launches of their times, and the
/// interval of that at 95 % by the spread of launches. Only ok cases with a time, but trainings. Labels in which its
/// launches differ are left out. Throws UsageError, naming `flag`, where nothing has that name.
[[nodiscard]] std::vector<Run> pooled(std::string_view flag, const std::string& name, const std::vector<Run>&);

}  // namespace busbar::report
