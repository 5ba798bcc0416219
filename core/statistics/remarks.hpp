// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/statistics/round.hpp"

namespace busbar {

/// Warnings about the rounds of a case, one short sentence each, at most one of a kind: bimodal rounds (two_modes());
/// slow first rounds, or else drift of 2 % or more (drift()); correlated successive rounds (serial_correlation(), if
/// they count as half or fewer); a first quarter of each round's samples that is slower than the round (sign test, 3 %
/// or more).
///
/// Each test has a false-positive rate of about 0.1 %. By simulation, under 0.3 % of sets of 8 to 200 independent
/// log-normal rounds get any remark.
[[nodiscard]] std::vector<std::string> remarks(std::span<const Round> rounds);

}  // namespace busbar
