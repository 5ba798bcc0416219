// SPDX-License-Identifier: Apache-2.0
#include "reports/import/bandwidths.hpp"

#include <cmath>
#include <limits>

namespace busbar {

Computed bandwidth_GBps(double bytes, const Rounded& time_us) {
  constexpr double endless = std::numeric_limits<double>::infinity();
  const auto at = [bytes](double us) { return us > 0 ? bytes / us * 1e-3 : endless; };
  return {.value = at(time_us.value), .low = at(time_us.high()), .high = at(time_us.low())};
}

bool agrees(const Rounded& printed, double low, double high) {
  constexpr double slack = 1e-9;
  return printed.low() <= high * (1 + slack) && printed.high() >= low * (1 - slack);
}

bool settle(std::optional<double>& out, const std::optional<Rounded>& printed, const Computed& computed,
            PrintedBandwidths& count) {
  if (!printed) {
    if (std::isfinite(computed.value)) out = computed.value;
    return out.has_value();
  }
  ++count.all;
  const bool good = std::isfinite(computed.value) && agrees(*printed, computed.low, computed.high);
  out = good && agrees(*printed, computed.value, computed.value) ? computed.value : printed->value;
  if (!good) ++count.contradicted;
  return good;
}

}  // namespace busbar
