// SPDX-License-Identifier: Apache-2.0
#include "reports/import/printed_bandwidth.hpp"

namespace busbar {

bool may_be_bandwidth(const Rounded& GBps, double bytes, const Rounded& time_s) {
  constexpr double slack = 1 + 1e-9;
  const bool not_below = GBps.high() * slack >= bytes / time_s.high() * 1e-9;
  return not_below && (time_s.low() <= 0 || GBps.low() <= bytes / time_s.low() * 1e-9 * slack);
}

}  // namespace busbar
