// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace busbar {

/// Position of a rank among all ranks of the job on its host. It determines the rank's GPU.
struct LocalPlace {
  int place = 0, ranks = 1;
};

}  // namespace busbar
