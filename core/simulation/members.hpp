// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include <smpi/smpi.h>

#include "core/simulation/board.hpp"

namespace busbar {

/// World ranks of the members of `comm`, in rank order. Sends no message.
[[nodiscard]] std::vector<int> world_ranks_of(MPI_Comm comm);

/// Collective over `comm`, without messages. A new board for its ranks; the first rank creates it.
[[nodiscard]] std::shared_ptr<Board> shared_board(MPI_Comm comm);

}  // namespace busbar
