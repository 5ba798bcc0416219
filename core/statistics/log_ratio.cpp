// SPDX-License-Identifier: Apache-2.0
#include "core/statistics/log_ratio.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

namespace busbar {
namespace {

/// P(T > t); above 10^6 degrees of freedom a normal distribution stands for Student's.
double upper_tail(double t, double degrees) {
  if (degrees > 1e6) return boost::math::cdf(boost::math::complement(boost::math::normal(), t));
  return boost::math::cdf(boost::math::complement(boost::math::students_t(degrees), t));
}

double quantile(double degrees, double confidence) {
  const double tail = 0.5 * (1 - confidence);
  if (degrees > 1e6) return boost::math::quantile(boost::math::complement(boost::math::normal(), tail));
  return boost::math::quantile(boost::math::complement(boost::math::students_t(degrees), tail));
}

double mean_log(std::span<const LaunchFigure> side) {
  double sum = 0;
  for (const LaunchFigure& launch : side) sum += std::log(launch.value);
  return sum / static_cast<double>(side.size());
}

double squares(std::span<const LaunchFigure> side) {
  const double mean = mean_log(side);
  double sum = 0;
  for (const LaunchFigure& launch : side) sum += std::pow(std::log(launch.value) - mean, 2);
  return sum;
}

/// Variance of the mean of the logarithms, each with the variance that its own interval tells.
double own_variance(std::span<const LaunchFigure> side) {
  double sum = 0;
  for (const LaunchFigure& launch : side) {
    if (!launch.interval || !(launch.interval->low > 0)) continue;
    const double half_width = 0.5 * std::log(launch.interval->high / launch.interval->low);
    sum += std::pow(half_width / quantile(std::numeric_limits<double>::infinity(), launch.interval->confidence), 2);
  }
  const auto n = static_cast<double>(side.size());
  return sum / (n * n);
}

/// P(T > (ln value - ln limit) / error); an error of 0 leaves no doubt.
double p_greater(double distance, double error, double degrees) {
  if (error > 0) return upper_tail(distance / error, degrees);
  return distance > 0 ? 0 : 1;
}

}  // namespace

double LogRatio::ratio() const { return std::exp(value); }

Interval LogRatio::interval(double confidence) const {
  const double half_width = quantile(degrees, confidence) * standard_error;
  return {.low = std::exp(value - half_width), .high = std::exp(value + half_width), .confidence = confidence};
}

double LogRatio::p_above(double limit) const { return p_greater(value - std::log(limit), standard_error, degrees); }
double LogRatio::p_below(double limit) const { return p_greater(std::log(limit) - value, standard_error, degrees); }

std::optional<LogRatio> independent_ratio(std::span<const LaunchFigure> a, std::span<const LaunchFigure> b) {
  const auto na = static_cast<double>(a.size()), nb = static_cast<double>(b.size());
  const double degrees = na + nb - 2;
  if (degrees < 1) return std::nullopt;
  const double variance = (squares(a) + squares(b)) / degrees;
  return LogRatio{.value = mean_log(b) - mean_log(a),
                  .standard_error = std::sqrt(variance * (1 / na + 1 / nb)),
                  .degrees = degrees};
}

std::optional<LogRatio> paired_ratio(std::span<const LaunchFigure> a, std::span<const LaunchFigure> b) {
  if (a.size() < 2) return std::nullopt;
  std::vector<LaunchFigure> ratios(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) ratios[i].value = b[i].value / a[i].value;
  const auto n = static_cast<double>(a.size());
  return LogRatio{.value = mean_log(ratios),
                  .standard_error = std::sqrt(squares(ratios) / (n - 1) / n),
                  .degrees = n - 1};
}

LogRatio assumed_ratio(std::span<const LaunchFigure> a, std::span<const LaunchFigure> b, double spread) {
  const auto na = static_cast<double>(a.size()), nb = static_cast<double>(b.size());
  const double variance = spread * spread * (1 / na + 1 / nb) + own_variance(a) + own_variance(b);
  return {.value = mean_log(b) - mean_log(a),
          .standard_error = std::sqrt(variance),
          .degrees = std::numeric_limits<double>::infinity()};
}

std::optional<int> launches_needed(const LogRatio& seen, double launches, double half_width, double confidence) {
  constexpr int most = 10000;
  const double of_one = seen.standard_error * std::sqrt(launches);  // the error with one launch of each side
  for (int n = 2; n <= most; n += n < 20 ? 1 : n / 10) {
    const double error = of_one / std::sqrt(n);
    if (quantile(2.0 * n - 2, confidence) * error < half_width) return n;
  }
  return std::nullopt;
}

std::vector<double> holm(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return p[i]; });
  std::vector<double> corrected(p.size());
  double least = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    least = std::max(least, std::min(1.0, p[order[k]] * static_cast<double>(p.size() - k)));
    corrected[order[k]] = least;
  }
  return corrected;
}

}  // namespace busbar
