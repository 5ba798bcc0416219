// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace busbar {

/// The parts of the time of a call that was given to the device before it could start there, in seconds. Of one rank
/// (Backend), or of a case: each part the slowest rank's, the median over rounds of medians.
struct GatedTimes {
  double launch_s = 0;  ///< until the host had given the call to the device
  double device_s = 0;  ///< on the device, by its own clock
  double notice_s = 0;  ///< the rest, from the start signal until the host knew that the call was complete
};

}  // namespace busbar
