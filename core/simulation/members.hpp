// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include <smpi/smpi.h>

namespace busbar {

/// World ranks of the members of `comm`, in rank order. Sends no message.
[[nodiscard]] std::vector<int> world_ranks_of(MPI_Comm comm);

}  // namespace busbar
