// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "reports/fit/fit.hpp"
#include "reports/platform/platform.hpp"

namespace busbar::fit {

/// Platform parameters that a fit does not provide.
struct PlatformRequest {
  std::string topology = "single-switch";  ///< topology words, as for busbar platform
  int nodes = 0;                           ///< 0: the largest measured number
  std::string gpu_link;                    ///< name; empty: fitted within a node, else nvlink3
};

/// A platform with the fitted link latency and bandwidth. A node has one NIC that represents all of them, and one GPU
/// per rank. Latency covers software and wire: half a ping-pong, else a step of the collective with the shortest one,
/// at its smallest sizes. Bandwidth is from the same sweep at its largest sizes. The file disables SMPI's own
/// corrections and overheads, because the fit includes them. Throws UsageError naming --platform if the fit has no
/// level between nodes, no step, or several environments.
[[nodiscard]] platform::PlatformSpec calibrated(const Fit&, const PlatformRequest&);

}  // namespace busbar::fit
