// SPDX-License-Identifier: Apache-2.0
#include "core/statistics/log_ratio.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "core/statistics/distributions.hpp"
#include "core/statistics/moments.hpp"
#include "core/statistics/summary.hpp"

namespace busbar {
namespace {

double quantile(double degrees, double confidence) { return upper_quantile(0.5 * (1 - confidence), degrees); }

using Logs = std::vector<double>;

template <class T, class Value = std::identity>
Logs logs_of(std::span<const T> figures, Value value = {}) {
  Logs logs;
  for (const T& figure : figures) logs.push_back(std::log(std::invoke(value, figure)));
  return logs;
}

/// Logarithms of one member of `paced`, which every launch must have.
Logs logs_of_paced(std::span<const LaunchFigure> side, double PacedFigure::* figure) {
  return logs_of(side, [figure](const LaunchFigure& launch) { return (*launch.paced).*figure; });
}

/// True if the pace of all launches of both sides is known.
bool known_pace(std::span<const LaunchFigure> a, std::span<const LaunchFigure> b) {
  const auto known = [](const LaunchFigure& launch) { return launch.paced.has_value(); };
  return std::ranges::all_of(a, known) && std::ranges::all_of(b, known);
}

Logs differences(const Logs& a, const Logs& b) {
  Logs d(a.size());
  std::ranges::transform(b, a, d.begin(), std::minus{});
  return d;
}

/// Sum of products of the deviations of x and y from their means.
double products(const Logs& x, const Logs& y) {
  const double mean_x = mean(x), mean_y = mean(y);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - mean_x) * (y[i] - mean_y);
  return sum;
}

/// Sums of either design: a difference y between two sides, and sums of squares within them.
struct Design {
  double y = 0, yy = 0;          ///< figures: difference and sum of squares
  double x = 0, xx = 0, xy = 0;  ///< the same for a covariate
  double over = 0;               ///< variance of y divided by that of one value
  double degrees = 0;            ///< degrees of freedom of yy
};

Design independent(const Logs& ya, const Logs& yb, const Logs& xa, const Logs& xb) {
  const auto na = static_cast<double>(ya.size()), nb = static_cast<double>(yb.size());
  Design d{.y = mean(yb) - mean(ya),
           .yy = products(ya, ya) + products(yb, yb),
           .over = 1 / na + 1 / nb,
           .degrees = na + nb - 2};
  if (xa.empty() || xb.empty()) return d;
  d.x = mean(xb) - mean(xa);
  d.xx = products(xa, xa) + products(xb, xb);
  d.xy = products(xa, ya) + products(xb, yb);
  return d;
}

Design paired(const Logs& y, const Logs& x) {
  const auto n = static_cast<double>(y.size());
  Design d{.y = mean(y), .yy = products(y, y), .over = 1 / n, .degrees = n - 1};
  if (x.empty()) return d;
  d.x = mean(x);
  d.xx = products(x, x);
  d.xy = products(x, y);
  return d;
}

std::optional<LogRatio> as_measured(const Design& d) {
  if (d.degrees < 1) return std::nullopt;
  return LogRatio{.value = d.y, .standard_error = std::sqrt(d.yy / d.degrees * d.over), .degrees = d.degrees};
}

/// y adjusted for the covariate. The error includes that of the estimated slope. Not adjusted if the covariates of the
/// sides do not overlap.
std::optional<LogRatio> at_equal_pace(const Design& d) {
  constexpr double most_deviations = 3;
  if (d.degrees < 2 || !(d.xx > 0)) return std::nullopt;
  if (std::abs(d.x) > most_deviations * std::sqrt(d.xx / d.degrees)) {
    auto ratio = as_measured(d);
    if (ratio) ratio->pace_apart = std::exp(d.x);
    return ratio;
  }
  const double slope = d.xy / d.xx;
  const double variance = std::max(0.0, d.yy - slope * d.xy) / (d.degrees - 1);
  return LogRatio{.value = d.y - slope * d.x,
                  .standard_error = std::sqrt(variance * (d.over + d.x * d.x / d.xx)),
                  .degrees = d.degrees - 1,
                  .pace = PaceEffect{.ratio = std::exp(d.x), .exponent = slope}};
}

/// Variance of the mean logarithm, from the interval of each launch.
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

/// P(T > distance / error). Without error, the answer is certain.
double p_greater(double distance, double error, double degrees) {
  if (error > 0) return upper_tail(distance / error, degrees);
  return distance > 0 ? 0 : 1;
}

}  // namespace

std::vector<double> logs_of_values(std::span<const LaunchFigure> side) { return logs_of(side, &LaunchFigure::value); }

std::vector<double> logs_of_ratios(std::span<const LaunchFigure> a, std::span<const LaunchFigure> b) {
  return differences(logs_of_values(a), logs_of_values(b));
}

double LogRatio::ratio() const { return std::exp(value); }

Interval LogRatio::interval(double confidence) const {
  const double half_width = quantile(degrees, confidence) * standard_error;
  return {.low = std::exp(value - half_width), .high = std::exp(value + half_width), .confidence = confidence};
}

double LogRatio::p_above(double limit) const { return p_greater(value - std::log(limit), standard_error, degrees); }
double LogRatio::p_below(double limit) const { return p_greater(std::log(limit) - value, standard_error, degrees); }

std::optional<LogRatio> independent_ratio(std::span<const LaunchFigure> a, std::span<const LaunchFigure> b) {
  return as_measured(independent(logs_of_values(a), logs_of_values(b), {}, {}));
}

std::optional<LogRatio> paired_ratio(std::span<const LaunchFigure> a, std::span<const LaunchFigure> b) {
  return as_measured(paired(logs_of_ratios(a, b), {}));
}

std::optional<LogRatio> independent_ratio_at_equal_pace(std::span<const LaunchFigure> a,
                                                        std::span<const LaunchFigure> b) {
  if (!known_pace(a, b)) return std::nullopt;
  return at_equal_pace(independent(logs_of_paced(a, &PacedFigure::value), logs_of_paced(b, &PacedFigure::value),
                                   logs_of_paced(a, &PacedFigure::pace_s), logs_of_paced(b, &PacedFigure::pace_s)));
}

std::optional<LogRatio> paired_ratio_at_equal_pace(std::span<const LaunchFigure> a, std::span<const LaunchFigure> b) {
  if (!known_pace(a, b)) return std::nullopt;
  return at_equal_pace(
      paired(differences(logs_of_paced(a, &PacedFigure::value), logs_of_paced(b, &PacedFigure::value)),
             differences(logs_of_paced(a, &PacedFigure::pace_s), logs_of_paced(b, &PacedFigure::pace_s))));
}

LogRatio assumed_ratio(std::span<const LaunchFigure> a, std::span<const LaunchFigure> b, double spread) {
  const auto na = static_cast<double>(a.size()), nb = static_cast<double>(b.size());
  const double variance = spread * spread * (1 / na + 1 / nb) + own_variance(a) + own_variance(b);
  return {.value = mean(logs_of_values(b)) - mean(logs_of_values(a)),
          .standard_error = std::sqrt(variance),
          .degrees = std::numeric_limits<double>::infinity()};
}

double geometric_mean(std::span<const double> positive) { return std::exp(mean(logs_of(positive))); }

std::optional<Interval> geometric_mean_interval(std::span<const double> positive, double confidence) {
  if (positive.size() < 2) return std::nullopt;
  const Logs logs = logs_of(positive);
  const auto n = static_cast<double>(logs.size());
  const double half_width = quantile(n - 1, confidence) * std::sqrt(products(logs, logs) / (n - 1) / n);
  return Interval{
      .low = std::exp(mean(logs) - half_width), .high = std::exp(mean(logs) + half_width), .confidence = confidence};
}

double spread_of_logs(std::span<const double> positive) {
  constexpr double deviation_of_mad = 1.4826, most = 3;  // of a normal distribution
  constexpr std::size_t enough = 4;
  const Logs logs = logs_of(positive);
  const double middle = median(logs);
  Logs away;
  for (const double value : logs) away.push_back(std::abs(value - middle));
  const double limit =
      away.size() < enough ? std::numeric_limits<double>::infinity() : most * deviation_of_mad * median(away);
  double squares = 0;
  for (const double a : away) squares += std::min(a, limit) * std::min(a, limit);
  return std::sqrt(squares / static_cast<double>(logs.size() - 1));
}

Interval interval_of_median(double median, double spread, int figures, double confidence) {
  constexpr double error_of_median = 1.2533141373155003;  // relative to that of the mean
  const double half_width = quantile(figures - 1, confidence) * error_of_median * spread / std::sqrt(figures);
  return {.low = median * std::exp(-half_width), .high = median * std::exp(half_width), .confidence = confidence};
}

std::optional<Interval> median_of_figures_interval(std::span<const double> positive, double confidence) {
  if (positive.size() < 2) return std::nullopt;
  return interval_of_median(median(positive), spread_of_logs(positive), static_cast<int>(positive.size()), confidence);
}

std::optional<int> launches_needed(const LogRatio& seen, double launches, double half_width, double confidence,
                                   bool paired) {
  constexpr int most = 10000;
  const double of_one = seen.standard_error * std::sqrt(launches);  // standard error with one launch per side
  for (int n = 2; n <= most; n += n < 20 ? 1 : n / 10) {
    const double error = of_one / std::sqrt(n);
    const double degrees = (paired ? 1.0 : 2.0) * (n - 1);
    if (quantile(degrees, confidence) * error < half_width) return n;
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
