// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <limits>
#include <span>

namespace busbar {

/// What one ping-pong says: when the local clock showed `local_ns`, the global one showed that plus `offset_ns`, give
/// or take half of the round trip (F. Cristian: Probabilistic clock synchronization, 1989).
struct OffsetPoint {
  std::int64_t local_ns = 0, offset_ns = 0, round_trip_ns = 0;
};

/// Line from a rank's clock to the global one, which is rank 0's. Whole nanoseconds, relative to a point nearby: a
/// double counts nanoseconds of uptime only up to 104 days.
struct ClockModel {
  std::int64_t reference_ns = 0;  ///< local time at which `offset_ns` holds
  std::int64_t offset_ns = 0;     ///< global minus local
  double drift = 0;               ///< growth of the offset, nanoseconds a local nanosecond

  [[nodiscard]] std::int64_t to_global(std::int64_t local_ns) const;
  [[nodiscard]] std::int64_t to_local(std::int64_t global_ns) const;
};

/// More than this between two clocks is no drift but noise or a jump: quartz is within 100 ppm, and Linux corrects by
/// at most 500 ppm (adjtimex(2)), either way on both hosts.
inline constexpr double most_drift = 1e-3;

/// A model, and how well its points fixed it.
struct ClockFit {
  ClockModel model;            ///< its drift is 0 where the slope is not above its own error, or above `most_drift`
  double offset_error_ns = 0;  ///< standard error of the offset at the model's reference point
  double slope = 0;
  double slope_error = std::numeric_limits<double>::infinity();  ///< standard error; infinite below three points
};

/// Least squares over the half of the points that have the smallest round trips, each with its round trip as its error
/// (weight 1 / round trip squared): a late message moves an offset by half of what it is late. `points` is not empty.
[[nodiscard]] ClockFit fit_clock(std::span<const OffsetPoint> points);

/// `now` with the drift between an earlier fit of the same clock and this one, where that fixes it better: the two lie
/// at most 100 s apart (quartz follows the temperature) and the slope between them is within four standard errors of
/// the one now (no clock has jumped).
[[nodiscard]] ClockFit with_longer_base(ClockFit now, const ClockFit& before);

}  // namespace busbar
