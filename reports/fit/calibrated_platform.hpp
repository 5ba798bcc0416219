// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "reports/fit/fit.hpp"
#include "reports/platform/platform.hpp"

namespace busbar::fit {

/// What a fit does not know of a platform.
struct PlatformRequest {
  std::string topology = "single-switch";  ///< words, as of busbar platform
  int nodes = 0;                           ///< 0: the most that were measured
  std::string gpu_link;                    ///< by name; empty: as fitted in a node, else nvlink3
};

/// A platform whose links have the latency and bandwidth of the fit. A node has one NIC, which stands for all of them,
/// and a GPU a rank. The latency is all of a message's, software and wire: half a ping-pong, else a step of the
/// collective with the shortest one at its smallest sizes. The bandwidth is that of the same sweep at its largest
/// sizes. SMPI's own corrections and overheads are set to nothing in the file, since they are in the fit. Throws
/// UsageError, naming --platform, where the fit has no level between nodes, no step, or several environments.
[[nodiscard]] platform::PlatformSpec calibrated(const Fit&, const PlatformRequest&);

}  // namespace busbar::fit
