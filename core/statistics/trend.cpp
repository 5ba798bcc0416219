// SPDX-License-Identifier: Apache-2.0
#include "core/statistics/trend.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/statistics/serial.hpp"
#include "core/statistics/summary.hpp"

namespace busbar {
namespace {

constexpr std::size_t least_values_for_trend = 8;  // below, the normal approximation of Kendall's S is too coarse

/// Kendall's S: number of rising pairs minus number of falling pairs.
double rises_less_falls(std::span<const double> values) {
  std::ptrdiff_t s = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = i + 1; j < values.size(); ++j) s += (values[j] > values[i]) - (values[j] < values[i]);
  return static_cast<double>(s);
}

/// Variance of S without a trend; each group of ties reduces it.
double variance_of_s(std::span<const double> values) {
  const auto share = [](double m) { return m * (m - 1) * (2 * m + 5) / 18; };
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  double variance = share(static_cast<double>(sorted.size()));
  for (auto first = sorted.begin(); first != sorted.end();) {
    const auto end = std::upper_bound(first, sorted.end(), *first);
    variance -= share(static_cast<double>(end - first));
    first = end;
  }
  return variance;
}

/// Theil-Sen estimator: the median slope per step.
double median_slope(std::span<const double> values) {
  std::vector<double> slopes;
  slopes.reserve(values.size() * (values.size() - 1) / 2);
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = i + 1; j < values.size(); ++j)
      slopes.push_back((values[j] - values[i]) / static_cast<double>(j - i));
  const auto middle = slopes.begin() + static_cast<std::ptrdiff_t>(slopes.size() / 2);
  std::ranges::nth_element(slopes, middle);
  return *middle;
}

double effective_count_off_the_line(std::span<const double> values, double slope) {
  std::vector<double> rest(values.begin(), values.end());
  for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= slope * static_cast<double>(i);
  return effective_count(rest);
}

}  // namespace

std::optional<Drift> drift(std::span<const double> values, double significance) {
  if (values.size() < least_values_for_trend) return std::nullopt;
  const auto n = static_cast<double>(values.size());
  const double excess = std::abs(rises_less_falls(values)) - 1;  // continuity correction: S is an integer
  const double variance = variance_of_s(values);
  if (excess <= 0 || std::erfc(excess / std::sqrt(2 * variance)) >= significance) return std::nullopt;
  const double slope = median_slope(values);
  const double stretch = n / effective_count_off_the_line(values, slope);
  const double p = std::erfc(excess / std::sqrt(2 * variance * stretch));
  if (p >= significance) return std::nullopt;
  return Drift{.relative_change = slope * (n - 1) / median(values), .p = p};
}

}  // namespace busbar
