// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>

#include "reports/import/text_lines.hpp"

/// Bandwidths that a log prints beside sizes and times: a record computes them where the log rounds too much, and never
/// contradicts it.
namespace busbar {

/// How many bandwidths a log printed, and how many of them cannot come from their size and time.
struct PrintedBandwidths {
  std::size_t all = 0, contradicted = 0;
};

/// A computed bandwidth, and the ends of the range in which it lies as the time was rounded. Any unit.
struct Computed {
  double value = 0, low = 0, high = 0;

  [[nodiscard]] Computed times(double factor) const { return {value * factor, low * factor, high * factor}; }
};

/// size / time in GB/s, for a time in microseconds; infinite for a time of 0.
[[nodiscard]] Computed bandwidth_GBps(double bytes, const Rounded& time_us);

/// True if `printed` can be the rounded form of a value between low and high.
[[nodiscard]] bool agrees(const Rounded& printed, double low, double high);

/// Sets `out` to the computed value where the printed one is that value rounded, or nothing was printed, else to the
/// printed one: its last digit may know better where the time has few. Values that are not finite are left out.
/// False where the printed one cannot come from this size and time at all, or there is no value.
bool settle(std::optional<double>& out, const std::optional<Rounded>& printed, const Computed&, PrintedBandwidths&);

}  // namespace busbar
