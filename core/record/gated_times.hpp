// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace busbar {

/// Parts of the time of a gated call, which is enqueued on the device before it may start there, in seconds. Of one
/// rank (Backend), or of a case: each part the slowest rank's, the median over rounds of medians.
struct GatedTimes {
  double launch_s = 0;  ///< until the host has enqueued the call
  double device_s = 0;  ///< on the device, by its clock
  double notice_s = 0;  ///< the rest, from the start signal until the host knows that the call is complete
};

}  // namespace busbar
