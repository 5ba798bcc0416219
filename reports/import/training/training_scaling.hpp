// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/record/fwd.hpp"

namespace busbar {

/// Sets speedup and efficiency of trainings that differ only in the number of ranks; the baseline has the fewest ranks.
void set_scaling(std::vector<CaseRecord>&);

}  // namespace busbar
