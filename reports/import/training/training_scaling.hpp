// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/record/fwd.hpp"

namespace busbar {

/// Sets speedup and efficiency of trainings that differ in the number of ranks only, against the fewest ranks.
void set_scaling(std::vector<CaseRecord>&);

}  // namespace busbar
