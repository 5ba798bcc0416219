// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "core/record/fwd.hpp"

namespace busbar {

/// How one rank came to the calls of a case, round by round: the share of a round's samples in which it started last,
/// and the median of how far it was behind the first.
struct Arrivals {
  std::vector<double> last_share;
  std::vector<double> behind_s;
};

/// Which ranks are late. A round has one latest rank, the one that started last in most of its samples; by chance that
/// is each rank in one round of N. Named is a rank that is it in more rounds than a binomial distribution allows at
/// 1 % for all ranks together (Bonferroni), and that is at least `least_s` behind the first. Host and processor are
/// left for the caller to fill in.
[[nodiscard]] std::vector<LateRank> late_ranks(std::span<const Arrivals> ranks, double least_s);

}  // namespace busbar
