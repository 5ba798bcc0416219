// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/statistics/round.hpp"

namespace busbar {

/// What a person should know about the rounds of a case before using their median, a short sentence each, at most one
/// of a kind: two groups of rounds (two_modes()); first rounds slower than the rest, or else drift over all (drift(), 2
/// % or more); neighbouring rounds that resemble each other (serial_correlation(), where the interval counts them as
/// half or fewer); a first quarter of each round's samples that is slower than the round (sign test, 3 % or more).
///
/// Each is said at a chance of error of about 0.1 %: by simulation, under 0.3 % of sets of 8 to 200 independent
/// log-normal rounds get any remark.
[[nodiscard]] std::vector<std::string> remarks(std::span<const Round> rounds);

}  // namespace busbar
