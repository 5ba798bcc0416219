// SPDX-License-Identifier: Apache-2.0
#include "core/statistics/modes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/statistics/summary.hpp"

namespace busbar {
namespace {

constexpr std::size_t least_rounds = 3;
constexpr double least_share = 0.2;
constexpr double least_ratio = 1.15;

double least_distance(std::size_t rounds) { return 4 + 60 / static_cast<double>(rounds); }

struct Spread {
  double mean = 0;
  double squares = 0;  ///< sum of squared distances from the mean
};

/// Adds one value (B. Welford 1962).
Spread with(Spread s, double value, std::size_t count) {
  const double off = value - s.mean;
  const double mean = s.mean + off / static_cast<double>(count);
  return {.mean = mean, .squares = s.squares + off * (value - mean)};
}

/// Spread of the first i + 1 values, for each i.
std::vector<Spread> spreads(std::span<const double> values) {
  std::vector<Spread> all;
  all.reserve(values.size());
  for (const double value : values) all.push_back(with(all.empty() ? Spread{} : all.back(), value, all.size() + 1));
  return all;
}

struct Split {
  std::size_t at = 0;  ///< size of the lower group
  double distance = 0;
};

/// The best split of ascending values into two groups of at least `least`; 2 <= least <= half of the values.
Split best_split(const std::vector<double>& sorted, std::size_t least) {
  const std::size_t n = sorted.size();
  const auto lower = spreads(sorted);
  const auto upper = spreads(std::vector<double>(sorted.rbegin(), sorted.rend()));
  const auto inside = [&](std::size_t k) { return lower[k - 1].squares + upper[n - k - 1].squares; };
  std::size_t best = least;
  for (std::size_t k = least; k <= n - least; ++k)
    if (inside(k) < inside(best)) best = k;
  const Spread &low = lower[best - 1], &high = upper[n - best - 1];
  const double variance =
      0.5 * (low.squares / static_cast<double>(best - 1) + high.squares / static_cast<double>(n - best - 1));
  return {.at = best, .distance = (high.mean - low.mean) / std::sqrt(variance)};
}

}  // namespace

std::optional<Modes> two_modes(std::span<const double> round_medians) {
  const std::size_t n = round_medians.size();
  const auto share = static_cast<std::size_t>(std::ceil(least_share * static_cast<double>(n)));
  const std::size_t least = std::max(least_rounds, share);
  if (n < 2 * least) return std::nullopt;
  std::vector<double> sorted(round_medians.begin(), round_medians.end());
  std::ranges::sort(sorted);
  std::vector<double> logs(n);
  std::ranges::transform(sorted, logs.begin(), [](double m) { return std::log(m); });

  const Split split = best_split(logs, least);
  const auto groups = std::span(sorted);
  const Mode low{.median_s = median(groups.first(split.at)), .rounds = split.at};
  const Mode high{.median_s = median(groups.subspan(split.at)), .rounds = n - split.at};
  if (!(split.distance > least_distance(n)) || high.median_s < least_ratio * low.median_s) return std::nullopt;
  return Modes{.low = low, .high = high};
}

}  // namespace busbar
