// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {

/// What went wrong between which ranks, a finding each; or that all of `which` is well: "3 pairs of neighbours". Not
/// applicable where there is no pair.
[[nodiscard]] std::vector<Finding> judge_pairs(const Facts&, std::vector<PairResult> RankFacts::* which);

}  // namespace busbar::preflight
