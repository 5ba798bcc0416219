// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>

#include "reports/import/text_lines.hpp"

/// Checks bandwidths printed next to sizes and times. A record computes them where the log rounds too coarsely, and
/// never contradicts the log.
namespace busbar {

/// Number of printed bandwidths, and how many of them are inconsistent with their size and time.
struct PrintedBandwidths {
  std::size_t all = 0, contradicted = 0;
};

/// A computed bandwidth and its bounds, given the rounding of the time. Any unit.
struct Computed {
  double value = 0, low = 0, high = 0;

  [[nodiscard]] Computed times(double factor) const { return {value * factor, low * factor, high * factor}; }
};

/// size / time in GB/s, for a time in microseconds; infinite for a time of 0.
[[nodiscard]] Computed bandwidth_GBps(double bytes, const Rounded& time_us);

/// True if `printed` can be the rounded form of a value between `low` and `high`.
[[nodiscard]] bool agrees(const Rounded& printed, double low, double high);

/// Sets `out` to the computed value if nothing was printed or if the printed value is its rounded form. Otherwise uses
/// the printed value, which may be more precise than a coarse time. Non-finite computed values are ignored. Returns
/// false if the printed value is inconsistent with size and time, or if there is no value.
bool settle(std::optional<double>& out, const std::optional<Rounded>& printed, const Computed&, PrintedBandwidths&);

}  // namespace busbar
