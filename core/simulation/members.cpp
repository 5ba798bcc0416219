// SPDX-License-Identifier: Apache-2.0
#include "core/simulation/members.hpp"

#include <numeric>

#include "core/mpi/check.hpp"
#include "core/simulation/job.hpp"

namespace busbar {

std::vector<int> world_ranks_of(MPI_Comm comm) {
  MPI_Group ours = MPI_GROUP_NULL, all = MPI_GROUP_NULL;
  int size = 0;
  mpi_check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
  mpi_check(MPI_Comm_group(comm, &ours), "MPI_Comm_group");
  mpi_check(MPI_Comm_group(MPI_COMM_WORLD, &all), "MPI_Comm_group");
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  std::vector<int> numbers(ranks.size());
  mpi_check(MPI_Group_translate_ranks(ours, size, ranks.data(), all, numbers.data()), "MPI_Group_translate_ranks");
  return numbers;
}

std::shared_ptr<Board> shared_board(MPI_Comm comm) {
  SimulatedRank& me = this_rank();
  const std::vector<int> ranks = world_ranks_of(comm);
  std::shared_ptr<Board>& board = me.job.boards[{ranks, me.groups_made[ranks]++}];
  if (!board) board = std::make_shared<Board>(static_cast<int>(ranks.size()));
  return board;
}

}  // namespace busbar
