// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <limits>
#include <span>

namespace busbar {

/// Result of one ping-pong: at local time `local_ns` the global time was `local_ns` + `offset_ns`, within half of the
/// round trip (F. Cristian: Probabilistic clock synchronization, 1989).
struct OffsetPoint {
  std::int64_t local_ns = 0, offset_ns = 0, round_trip_ns = 0;
};

/// Linear map from a rank's clock to the global clock, which is rank 0's. In whole nanoseconds relative to a nearby
/// point: a double counts nanoseconds of uptime only up to 104 days.
struct ClockModel {
  std::int64_t reference_ns = 0;  ///< local time at which `offset_ns` is exact
  std::int64_t offset_ns = 0;     ///< global minus local
  double drift = 0;               ///< growth of the offset, in ns per local ns

  [[nodiscard]] std::int64_t to_global(std::int64_t local_ns) const;
  [[nodiscard]] std::int64_t to_local(std::int64_t global_ns) const;
};

/// A larger slope between two clocks is noise or a jump, not drift: quartz is within 100 ppm, and Linux corrects by at
/// most 500 ppm (adjtimex(2)), in either direction on both hosts.
inline constexpr double most_drift = 1e-3;

/// A model and its fit errors.
struct ClockFit {
  ClockModel model;            ///< its drift is 0 if the slope is within its error or above `most_drift`
  double offset_error_ns = 0;  ///< standard error of the offset at the model's reference point
  double slope = 0;
  double slope_error = std::numeric_limits<double>::infinity();  ///< standard error; infinite below three points
};

/// Least squares over the half of the points with the shortest round trips, weighted by 1 / round trip squared: a late
/// message moves an offset by half its delay. `points` must not be empty.
[[nodiscard]] ClockFit fit_clock(std::span<const OffsetPoint> points);

/// `now` with the drift since `before`, an earlier fit of the same clock, if three conditions hold; else `now`. That
/// drift has the smaller error; the fits are at most 100 s apart (quartz follows the temperature); the drift is within
/// four standard errors of the slope of `now` (no clock jumped).
[[nodiscard]] ClockFit with_longer_base(ClockFit now, const ClockFit& before);

}  // namespace busbar
