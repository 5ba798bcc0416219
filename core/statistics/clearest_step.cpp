// SPDX-License-Identifier: Apache-2.0
#include "core/statistics/clearest_step.hpp"

#include <algorithm>
#include <cmath>

#include "core/statistics/moments.hpp"
#include "core/statistics/summary.hpp"

namespace busbar {
namespace {

constexpr double rounding = 1e-6;  // smaller spreads of logarithms count as rounding

/// Standard deviation from the median difference of neighbours, which steps and single outliers do not affect.
double robust_noise(std::span<const double> values) {
  constexpr double normal_median = 0.6745;
  std::vector<double> differences;
  for (std::size_t i = 1; i < values.size(); ++i) differences.push_back(std::abs(values[i] - values[i - 1]));
  const auto middle = differences.begin() + static_cast<std::ptrdiff_t>(differences.size() / 2);
  std::ranges::nth_element(differences, middle);
  return *middle / normal_median / std::sqrt(2.0);
}

/// Means and sums of squares of parts of a series, in constant time.
class Sums {
 public:
  explicit Sums(std::span<const double> values) {
    for (const double v : values) {
      sums_.push_back(sums_.back() + v);
      squares_.push_back(squares_.back() + v * v);
    }
  }
  [[nodiscard]] double mean(std::size_t first, std::size_t last) const {
    return (sums_[last] - sums_[first]) / static_cast<double>(last - first);
  }
  [[nodiscard]] double squared_residuals(std::size_t first, std::size_t last) const {
    if (last - first < 2) return 0;
    const double sum = sums_[last] - sums_[first];
    return std::max(squares_[last] - squares_[first] - sum * sum / static_cast<double>(last - first), 0.0);
  }

 private:
  std::vector<double> sums_{0}, squares_{0};
};

/// Squared residuals of the least-squares line through values at 0, 1, 2, ...
double squared_residuals_of_line(std::span<const double> values) {
  const double middle = mean(values), centre = 0.5 * static_cast<double>(values.size() - 1);
  double xx = 0, xy = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = static_cast<double>(i) - centre;
    xx += x * x;
    xy += x * (values[i] - middle);
  }
  return squared_residuals(values) - xy * xy / xx;
}

}  // namespace

std::vector<StepWindow> windows_in(std::size_t count, StepWindows kind) {
  std::vector<StepWindow> all;
  const std::size_t shortest = kind == StepWindows::whole ? count : least_values_per_side;
  for (std::size_t length = shortest; count >= 2 * least_values_per_side; length = length * 8 / 5) {
    for (std::size_t k = least_values_per_side; k + least_values_per_side <= count; ++k)
      all.push_back({.first = k - std::min(length, k), .middle = k, .last = k + std::min(length, count - k)});
    if (length >= count) break;
  }
  return all;
}

std::vector<double> without_outliers(std::span<const double> values) {
  std::vector<double> all(values.begin(), values.end());
  if (values.size() < least_values_per_side) return all;
  const double most = 5 * robust_noise(values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t first = i < 2 ? 0 : i - 2, last = std::min(i + 3, values.size());
    const double usual = median(values.subspan(first, last - first));
    if (std::abs(values[i] - usual) > most) all[i] = usual;
  }
  return all;
}

ClearestStep clearest_step(std::span<const double> values, std::span<const StepWindow> windows) {
  const Sums sums(values);
  const auto count = static_cast<double>(values.size());
  ClearestStep best;
  for (const StepWindow& w : windows) {
    const double before = 1 / static_cast<double>(w.middle - w.first),
                 behind = 1 / static_cast<double>(w.last - w.middle);
    const double difference = sums.mean(w.middle, w.last) - sums.mean(w.first, w.middle);
    const double rest = sums.squared_residuals(0, w.first) + sums.squared_residuals(w.first, w.middle) +
                        sums.squared_residuals(w.middle, w.last) + sums.squared_residuals(w.last, values.size());
    const double degrees = count - 2 - (w.first > 0) - (w.last < values.size());
    const double variance = std::max(rest / degrees, rounding * rounding);
    const double square = difference * difference / (before + behind) / variance;
    if (square > best.statistic)
      best = {.statistic = square, .degrees = degrees, .noise = std::sqrt(variance), .window = w};
  }
  best.statistic = std::sqrt(best.statistic);
  return best;
}

double step_against_line(std::span<const double> values, const ClearestStep& step) {
  constexpr double per_level = 5;
  const auto count = static_cast<double>(values.size());
  const double by_step = step.noise * step.noise * step.degrees, by_line = squared_residuals_of_line(values);
  const double variance = std::max(std::min(by_step / step.degrees, by_line / (count - 2)), rounding * rounding);
  return (by_line - by_step) / variance - per_level * (count - 2 - step.degrees);
}

}  // namespace busbar
