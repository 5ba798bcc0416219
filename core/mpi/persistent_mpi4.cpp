// SPDX-License-Identifier: Apache-2.0
// MPI 4.
#include "core/mpi/persistent.hpp"

namespace busbar {

const PersistentCollectives* persistent_collectives() {
  static constexpr PersistentCollectives all{
      .allreduce = MPI_Allreduce_init,
      .allgather = MPI_Allgather_init,
      .broadcast = MPI_Bcast_init,
      .reduce_scatter = MPI_Reduce_scatter_init,
      .reduce_scatter_block = MPI_Reduce_scatter_block_init,
      .alltoall = MPI_Alltoall_init,
      .reduce = MPI_Reduce_init,
      .gather = MPI_Gather_init,
      .scatter = MPI_Scatter_init,
      .barrier = MPI_Barrier_init,
  };
  return &all;
}

}  // namespace busbar
