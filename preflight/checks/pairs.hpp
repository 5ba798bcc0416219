// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {

/// One finding per failed pair; ok if all of `which` passed: "3 pairs of neighbours". Not applicable without pairs.
[[nodiscard]] std::vector<CheckResult> judge_pairs(const Facts&, std::vector<PairResult> RankFacts::* which);

}  // namespace busbar::preflight
