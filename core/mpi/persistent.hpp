// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

namespace busbar {

/// The functions that create persistent requests of collectives, with the arguments of MPI 4's MPI_Allreduce_init and
/// others. All are collective over the communicator.
struct PersistentCollectives {
  int (*allreduce)(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Info, MPI_Request*);
  int (*allgather)(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm, MPI_Info, MPI_Request*);
  int (*broadcast)(void*, int, MPI_Datatype, int root, MPI_Comm, MPI_Info, MPI_Request*);
  int (*reduce_scatter)(const void*, void*, const int*, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Info, MPI_Request*);
  int (*reduce_scatter_block)(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Info, MPI_Request*);
  int (*alltoall)(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm, MPI_Info, MPI_Request*);
  int (*reduce)(const void*, void*, int, MPI_Datatype, MPI_Op, int root, MPI_Comm, MPI_Info, MPI_Request*);
  int (*gather)(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, int root, MPI_Comm, MPI_Info, MPI_Request*);
  int (*scatter)(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, int root, MPI_Comm, MPI_Info, MPI_Request*);
  int (*barrier)(MPI_Comm, MPI_Info, MPI_Request*);
};

/// Null if this MPI library has none. CMake chooses the file that defines it: MPI 4's functions, the MPIX_ ones of Open
/// MPI 4.1, or none.
[[nodiscard]] const PersistentCollectives* persistent_collectives();

}  // namespace busbar
