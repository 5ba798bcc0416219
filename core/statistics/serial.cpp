// SPDX-License-Identifier: Apache-2.0
#include "core/statistics/serial.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace busbar {
namespace {

/// Sum over i of c[i] * c[i + lag].
double lagged_sum(std::span<const double> c, std::size_t lag) {
  return std::inner_product(c.begin(), c.end() - static_cast<std::ptrdiff_t>(lag),
                            c.begin() + static_cast<std::ptrdiff_t>(lag), 0.0);
}

/// Ranks minus their mean.
std::vector<double> centred_ranks(std::span<const double> values) {
  auto ranks = ranks_of(values);
  for (double& r : ranks) r -= 0.5 * (static_cast<double>(values.size()) + 1);
  return ranks;
}

}  // namespace

std::vector<double> ranks_of(std::span<const double> values) {
  std::vector<std::pair<double, std::size_t>> sorted;
  sorted.reserve(values.size());
  for (const double value : values) sorted.emplace_back(value, sorted.size());
  std::ranges::sort(sorted);
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0, end = 0; first < sorted.size(); first = end) {
    while (end < sorted.size() && sorted[end].first == sorted[first].first) ++end;
    for (std::size_t i = first; i < end; ++i) ranks[sorted[i].second] = 0.5 * static_cast<double>(first + 1 + end);
  }
  return ranks;
}

double serial_correlation(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const auto ranks = centred_ranks(values);
  const double all = lagged_sum(ranks, 0);
  return all > 0 ? lagged_sum(ranks, 1) / all : 0;
}

double effective_count(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  const auto ranks = centred_ranks(values);
  const double all = lagged_sum(ranks, 0);
  if (!(all > 0)) return n;
  double inflation = 1;
  std::size_t lags = 0;
  for (; 3 * (lags + 1) < values.size(); ++lags) {
    const double correlation = lagged_sum(ranks, lags + 1) / all + 1 / n;
    if (correlation < 0.5 / std::sqrt(n)) break;
    inflation += 2 * correlation;
  }
  // Subtracting the mean lowers each correlation by inflation / n, not 1 / n. Add the difference, now that it is known.
  inflation += 2 * static_cast<double>(lags) * (inflation - 1) / n;
  return n / inflation;
}

}  // namespace busbar
