// SPDX-License-Identifier: Apache-2.0
#include "core/statistics/shifts.hpp"

#include <algorithm>
#include <cmath>

#include "core/statistics/clearest_step.hpp"
#include "core/statistics/distributions.hpp"
#include "core/statistics/moments.hpp"
#include "core/statistics/summary.hpp"

namespace busbar {
namespace {

constexpr double confidence = 0.95, false_discoveries = 0.05;

/// Known logarithms of a series on one side of a change.
std::vector<double> logs_in(const std::vector<double>& series, TimeSpan span) {
  std::vector<double> all;
  for (std::size_t i = span.first; i < std::min(span.last, series.size()); ++i)
    if (series[i] > 0) all.push_back(std::log(series[i]));
  return without_outliers(all);
}

/// Difference of two means, by Student.
struct Difference {
  double value = 0, error = 0, degrees = 0;

  [[nodiscard]] double p() const { return 2 * upper_tail(std::abs(value) / error, degrees); }
  [[nodiscard]] Shift shift() const {
    const double half = upper_quantile(0.5 * (1 - confidence), degrees) * error;
    return {.ratio = std::exp(value), .interval = {std::exp(value - half), std::exp(value + half), confidence}};
  }
};

std::optional<Difference> difference(std::span<const double> before, std::span<const double> behind) {
  constexpr double rounding = 1e-9;
  if (before.size() < 2 || behind.size() < 2) return std::nullopt;
  const auto b = static_cast<double>(before.size()), a = static_cast<double>(behind.size());
  const double variance = (squared_residuals(before) + squared_residuals(behind)) / (a + b - 2);
  return Difference{.value = mean(behind) - mean(before),
                    .error = std::max(std::sqrt(variance * (1 / a + 1 / b)), rounding),
                    .degrees = a + b - 2};
}

/// The largest p-value to accept (Benjamini, Hochberg).
double p_limit(std::vector<double> p) {
  std::ranges::sort(p);
  double limit = 0;
  for (std::size_t i = 0; i < p.size(); ++i)
    if (p[i] <= false_discoveries * static_cast<double>(i + 1) / static_cast<double>(p.size())) limit = p[i];
  return limit;
}

/// At each time of a span, the median over series of logarithms relative to `usual`; times without any are left out.
std::vector<double> medians(std::span<const std::vector<double>> series, std::span<const std::size_t> which,
                            std::span<const double> usual, TimeSpan span) {
  std::vector<double> all, now;
  for (std::size_t t = span.first; t < span.last; ++t) {
    now.clear();
    for (std::size_t i = 0; i < which.size(); ++i) {
      const std::vector<double>& values = series[which[i]];
      if (t < values.size() && values[t] > 0) now.push_back(std::log(values[t]) - usual[i]);
    }
    if (!now.empty()) all.push_back(median(now));
  }
  return without_outliers(all);
}

}  // namespace

std::vector<SeriesShift> series_shifts(std::span<const std::vector<double>> series, const ChangePoint& change) {
  std::vector<SeriesShift> all;
  std::vector<double> p;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const auto d = difference(logs_in(series[i], change.before), logs_in(series[i], change.behind));
    if (!d) continue;
    all.push_back({.series = i, .shift = d->shift(), .moved = false});
    p.push_back(d->p());
  }
  const double limit = p_limit(p);
  for (std::size_t i = 0; i < all.size(); ++i) all[i].moved = p[i] <= limit;
  return all;
}

std::optional<Shift> median_shift(std::span<const std::vector<double>> series, std::span<const std::size_t> which,
                                  const ChangePoint& change) {
  std::vector<double> usual;
  for (const std::size_t i : which) usual.push_back(mean(logs_in(series[i], change.before)));
  const auto d = difference(medians(series, which, usual, change.before), medians(series, which, usual, change.behind));
  return d ? std::optional(d->shift()) : std::nullopt;
}

}  // namespace busbar
