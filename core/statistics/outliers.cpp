// SPDX-License-Identifier: Apache-2.0
#include "core/statistics/outliers.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/statistics/distributions.hpp"

namespace busbar {
namespace {

struct Deviate {
  std::size_t at = 0;      ///< position in the remaining indices
  double studentized = 0;  ///< its distance from their mean, in their standard deviations
};

/// The remaining value farthest from the mean of all remaining ones.
Deviate farthest(std::span<const double> values, std::span<const std::size_t> remaining) {
  const auto n = static_cast<double>(remaining.size());
  double mean = 0, squares = 0;
  for (const std::size_t i : remaining) mean += values[i] / n;
  for (const std::size_t i : remaining) squares += std::pow(values[i] - mean, 2);
  const auto most = std::ranges::max_element(remaining, {}, [&](std::size_t i) { return std::abs(values[i] - mean); });
  const double deviation = std::sqrt(squares / (n - 1));
  return {.at = static_cast<std::size_t>(most - remaining.begin()),
          .studentized = deviation > 0 ? std::abs(values[*most] - mean) / deviation : 0};
}

/// What the farthest of n normal values exceeds with this probability.
double critical(std::size_t values, double by_chance) {
  const auto n = static_cast<double>(values);
  const double t = upper_quantile(by_chance / (2 * n), n - 2);
  return (n - 1) * t / std::sqrt((n - 2 + t * t) * n);
}

}  // namespace

std::vector<std::size_t> outliers(std::span<const double> values, double by_chance, double most) {
  if (values.size() < least_for_outliers) return {};
  std::vector<std::size_t> remaining(values.size()), removed;
  std::iota(remaining.begin(), remaining.end(), std::size_t{0});
  std::size_t found = 0;
  const auto limit = static_cast<std::size_t>(most * static_cast<double>(values.size()) + 1e-9);
  while (removed.size() < limit) {
    const Deviate one = farthest(values, remaining);
    const double bar = critical(remaining.size(), by_chance);
    removed.push_back(remaining[one.at]);
    remaining.erase(remaining.begin() + static_cast<std::ptrdiff_t>(one.at));
    if (one.studentized > bar) found = removed.size();  // with all that were removed before it
  }
  removed.resize(found);
  std::ranges::sort(removed);
  return removed;
}

}  // namespace busbar
