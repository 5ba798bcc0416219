// SPDX-License-Identifier: Apache-2.0
#include "bench/engine/arrival.hpp"

#include <algorithm>
#include <numeric>

#include "core/record/arrival.hpp"
#include "core/statistics/distributions.hpp"
#include "core/statistics/summary.hpp"

namespace busbar {
namespace {

/// For each rank, the number of rounds in which it started last most often.
std::vector<std::size_t> times_latest(std::span<const Arrivals> ranks, std::size_t rounds) {
  std::vector<std::size_t> times(ranks.size());
  for (std::size_t round = 0; round < rounds; ++round) {
    const auto latest = std::ranges::max_element(ranks, {}, [&](const Arrivals& a) { return a.last_share[round]; });
    ++times[static_cast<std::size_t>(latest - ranks.begin())];
  }
  return times;
}

}  // namespace

std::vector<LateRank> late_ranks(std::span<const Arrivals> ranks, double least_s) {
  constexpr double error = 0.01;
  std::vector<LateRank> late;
  if (ranks.size() < 2 || ranks[0].last_share.empty()) return late;
  const std::size_t rounds = ranks[0].last_share.size();
  const auto n = static_cast<double>(ranks.size());
  const auto times = times_latest(ranks, rounds);
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const double behind_s = median(ranks[r].behind_s);
    if (behind_s < least_s || binomial_at_least(times[r], rounds, 1 / n) > error / n) continue;
    const auto& share = ranks[r].last_share;
    LateRank it{.rank = static_cast<int>(r), .behind_s = behind_s};
    it.last_share = std::accumulate(share.begin(), share.end(), 0.0) / static_cast<double>(rounds);
    late.push_back(std::move(it));
  }
  return late;
}

}  // namespace busbar
