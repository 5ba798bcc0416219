// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "core/record/fwd.hpp"

namespace busbar {

/// Arrival times of one rank in a case, by round: the fraction of a round's samples in which the rank started last, and
/// its median delay behind the first rank.
struct Arrivals {
  std::vector<double> last_share;
  std::vector<double> behind_s;
};

/// Finds late ranks. Each round has one latest rank: the one that started last in most of its samples. By chance, each
/// rank is the latest in one round of N. A rank is late if it is so more often than a binomial test allows at 1 % for
/// all ranks together (Bonferroni), and its median delay is at least `least_s`. The caller sets host and processor.
[[nodiscard]] std::vector<LateRank> late_ranks(std::span<const Arrivals> ranks, double least_s);

}  // namespace busbar
