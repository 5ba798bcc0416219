// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace busbar {

/// A rank among all ranks of the job on its host: which GPU it has follows from that.
struct LocalPlace {
  int place = 0, ranks = 1;
};

}  // namespace busbar
