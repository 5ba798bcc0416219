// SPDX-License-Identifier: Apache-2.0
#include "core/statistics/interval.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/statistics/serial.hpp"

namespace busbar {
namespace {

/// Binomial(n, 1/2) probabilities of k = floor((n - 1) / 2) down to 0, relative to the first.
std::vector<double> chances_from_middle(std::size_t n) {
  std::vector<double> chances{1};
  chances.reserve(n / 2 + 1);
  for (std::size_t k = (n - 1) / 2; k > 0; --k)
    chances.push_back(chances.back() * static_cast<double>(k) / static_cast<double>(n - k + 1));
  return chances;
}

/// Rank of the lower end, from 1 on; its fraction interpolates towards the next rank. The upper end is symmetric. Empty
/// if n is too small.
std::optional<double> lower_rank(std::size_t n, double confidence) {
  if (n < 2) return std::nullopt;
  const auto chances = chances_from_middle(n);
  double lower_half = 0;
  for (const double c : chances) lower_half += c;
  const bool even = n % 2 == 0;  // then n/2 lies between the halves
  const double all = 2 * lower_half + (even ? (static_cast<double>(n) / 2 + 1) / (static_cast<double>(n) / 2) : 0);
  double at_most = lower_half / all;  // P(B < d): the probability that the median is below rank d
  double before = 1 - at_most;        // P(B <= d) if n is even; if n is odd, the loop sets it
  std::size_t d = (n - 1) / 2 + 1;
  for (std::size_t i = 0; d > 0 && at_most > 0.5 * (1 - confidence); ++i, --d) {
    before = at_most;
    at_most -= chances[i] / all;
  }
  if (d == 0) return std::nullopt;
  const double share = (1 - 2 * at_most - confidence) / (2 * (before - at_most));
  const auto rank = static_cast<double>(d), rest = static_cast<double>(n) - rank;
  return rank + rest * share / (rank + (rest - rank) * share);
}

/// The value at a rank, from 1 on, interpolated towards the next one. Reorders `values`.
double at_rank(std::vector<double>& values, double rank) {
  const auto here = values.begin() + static_cast<std::ptrdiff_t>(rank) - 1;
  std::ranges::nth_element(values, here);
  const double fraction = rank - std::floor(rank);
  return fraction > 0 ? std::lerp(*here, *std::min_element(here + 1, values.end()), fraction) : *here;
}

/// `widening`: factor on the distance of the ends from the middle rank; 1 for independent values.
std::optional<Interval> interval(std::span<const double> values, double confidence, double widening) {
  const auto rank = lower_rank(values.size(), confidence);
  if (!rank) return std::nullopt;
  const double top = static_cast<double>(values.size()) + 1;
  const double low = 0.5 * top - widening * (0.5 * top - *rank);
  if (low < 1) return std::nullopt;
  std::vector<double> reordered(values.begin(), values.end());
  return Interval{.low = at_rank(reordered, low), .high = at_rank(reordered, top - low), .confidence = confidence};
}

}  // namespace

std::optional<Interval> median_interval(std::span<const double> values, double confidence) {
  return interval(values, confidence, 1);
}

std::optional<Interval> series_median_interval(std::span<const double> values, double confidence) {
  return interval(values, confidence, std::sqrt(static_cast<double>(values.size()) / effective_count(values)));
}

double relative_half_width(const Interval& interval) {
  return (interval.high - interval.low) / (interval.high + interval.low);
}

}  // namespace busbar
