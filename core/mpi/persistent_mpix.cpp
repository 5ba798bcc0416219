// SPDX-License-Identifier: Apache-2.0
// Open MPI 4.1, before MPI 4: extension pcollreq.
#include <mpi-ext.h>

#include "core/mpi/persistent.hpp"

namespace busbar {

const PersistentCollectives* persistent_collectives() {
  static constexpr PersistentCollectives all{
      .allreduce = MPIX_Allreduce_init,
      .allgather = MPIX_Allgather_init,
      .broadcast = MPIX_Bcast_init,
      .reduce_scatter = MPIX_Reduce_scatter_init,
      .reduce_scatter_block = MPIX_Reduce_scatter_block_init,
      .alltoall = MPIX_Alltoall_init,
      .reduce = MPIX_Reduce_init,
      .gather = MPIX_Gather_init,
      .scatter = MPIX_Scatter_init,
      .barrier = MPIX_Barrier_init,
  };
  return &all;
}

}  // namespace busbar
