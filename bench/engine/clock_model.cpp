// SPDX-License-Identifier: Apache-2.0
#include "bench/engine/clock_model.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace busbar {
namespace {

double drift_of(double slope, double error) {
  return std::abs(slope) <= error || std::abs(slope) > most_drift ? 0 : slope;
}

std::vector<OffsetPoint> quickest_half(std::span<const OffsetPoint> points) {
  std::vector<OffsetPoint> sorted(points.begin(), points.end());
  std::ranges::sort(sorted, {}, [](const OffsetPoint& p) { return std::pair(p.round_trip_ns, p.local_ns); });
  sorted.resize((sorted.size() + 1) / 2);
  return sorted;
}

}  // namespace

std::int64_t ClockModel::to_global(std::int64_t local_ns) const {
  return local_ns + offset_ns + std::llround(drift * static_cast<double>(local_ns - reference_ns));
}

std::int64_t ClockModel::to_local(std::int64_t global_ns) const {
  const std::int64_t without_drift = global_ns - offset_ns;
  return without_drift - std::llround(drift / (1 + drift) * static_cast<double>(without_drift - reference_ns));
}

ClockFit fit_clock(std::span<const OffsetPoint> points) {
  const auto used = quickest_half(points);
  const OffsetPoint zero = used.front();  // sums are relative to this point, to stay small
  const auto x = [&](const OffsetPoint& p) { return static_cast<double>(p.local_ns - zero.local_ns); };
  const auto y = [&](const OffsetPoint& p) { return static_cast<double>(p.offset_ns - zero.offset_ns); };
  const auto weight = [&](const OffsetPoint& p) {
    return std::pow(static_cast<double>(zero.round_trip_ns + 1) / static_cast<double>(p.round_trip_ns + 1), 2);
  };
  double weights = 0, mean_x = 0, mean_y = 0, xx = 0, xy = 0, squares = 0;
  for (const auto& p : used) weights += weight(p), mean_x += weight(p) * x(p), mean_y += weight(p) * y(p);
  mean_x /= weights, mean_y /= weights;
  for (const auto& p : used) {
    xx += weight(p) * (x(p) - mean_x) * (x(p) - mean_x);
    xy += weight(p) * (x(p) - mean_x) * (y(p) - mean_y);
  }
  ClockFit fit{.model = {.reference_ns = zero.local_ns + std::llround(mean_x),
                         .offset_ns = zero.offset_ns + std::llround(mean_y)}};
  if (used.size() < 3 || !(xx > 0)) return fit;
  fit.slope = xy / xx;
  for (const auto& p : used) squares += weight(p) * std::pow(y(p) - mean_y - fit.slope * (x(p) - mean_x), 2);
  const double variance = squares / static_cast<double>(used.size() - 2);
  fit.offset_error_ns = std::sqrt(variance / weights);
  fit.slope_error = std::sqrt(variance / xx);
  fit.model.drift = drift_of(fit.slope, fit.slope_error);
  return fit;
}

ClockFit with_longer_base(ClockFit now, const ClockFit& before) {
  constexpr double longest_ns = 100e9;
  const auto base_ns = static_cast<double>(now.model.reference_ns - before.model.reference_ns);
  if (!(base_ns > 0) || base_ns > longest_ns) return now;
  const double slope = static_cast<double>(now.model.offset_ns - before.model.offset_ns) / base_ns;
  const double error = std::hypot(now.offset_error_ns, before.offset_error_ns) / base_ns;
  const bool jumped = std::abs(slope) > most_drift || !(std::abs(slope - now.slope) <= 4 * now.slope_error);
  if (jumped || error >= now.slope_error) return now;
  now.slope = slope;
  now.slope_error = error;
  now.model.drift = drift_of(slope, error);
  return now;
}

}  // namespace busbar
