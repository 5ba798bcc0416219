// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <span>

namespace busbar {

/// One of two groups that rounds fall into.
struct Mode {
  double median_s = 0;  ///< of the medians of its rounds
  std::size_t rounds = 0;
};

struct Modes {
  Mode low, high;
};

/// The two groups that the medians of rounds (seconds, positive) fall into, if they do: in the best split in two of
/// their logarithms (least squares inside the groups: N. Otsu 1979) each group has at least 3 rounds and a fifth of
/// all, the medians are at least 15 % apart, and Ashman's D, the distance of the means over the root mean square of the
/// standard deviations inside, is above 4 + 60 / rounds (K. Ashman, C. Bird, S. Zepf 1994; theirs is 2, for groups that
/// were fitted and not cut out: cutting any one group in two gives 2.6 to 3.5, and more where rounds are few).
///
/// Found wrongly in under 0.1 % of sets of 6 to 200 log-normal rounds (sigma 0.3), under 0.4 % of uniform, t3, Pareto,
/// correlated and drifting ones; where each round is 3x slower at a chance of 5 %, in 3.4 % at worst (3 of 15 rounds).
/// Found in 82 % of sets of 20 and 96 % of 50 rounds in states 1.3x apart with 3 % inside each and shares 70 to 30 (92
/// and 100 % at 50 to 50); in 90 and 95 % where they are 2.2x apart with 5 % inside. States 1.3x apart with 5 % inside
/// need 100 rounds (97 %). Measured by simulation; tests/unit/rounds_test.cpp holds it.
[[nodiscard]] std::optional<Modes> two_modes(std::span<const double> round_medians);

}  // namespace busbar
