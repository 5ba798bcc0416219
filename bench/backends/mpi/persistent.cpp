// SPDX-License-Identifier: Apache-2.0
#include "core/mpi/persistent.hpp"

#include <algorithm>

#include "bench/backends/mpi/backend.hpp"

namespace busbar {

void MpiBackend::persistent(const Call& c) {
  time_split(persistent_function_, c, [](MPI_Request* request) { return MPI_Start(request); });
}

int MpiBackend::create_allreduce(const Call& c) {
  return persistent_collectives()->allreduce(input(c), c.recv.data(), count_, type_, op_, comm_, MPI_INFO_NULL,
                                             started_.request());
}

int MpiBackend::create_allgather(const Call& c) {
  return persistent_collectives()->allgather(input(c), count_, type_, c.recv.data(), count_, type_, comm_,
                                             MPI_INFO_NULL, started_.request());
}

int MpiBackend::create_broadcast(const Call& c) {
  return persistent_collectives()->broadcast(c.recv.data(), count_, type_, c.root, comm_, MPI_INFO_NULL,
                                             started_.request());
}

int MpiBackend::create_reduce_scatter(const Call& c) {
  return persistent_collectives()->reduce_scatter(input(c), c.recv.data(), counts_.data(), type_, op_, comm_,
                                                  MPI_INFO_NULL, started_.request());
}

int MpiBackend::create_reduce_scatter_block(const Call& c) {
  return persistent_collectives()->reduce_scatter_block(input(c), c.recv.data(), count_, type_, op_, comm_,
                                                        MPI_INFO_NULL, started_.request());
}

int MpiBackend::create_alltoall(const Call& c) {
  return persistent_collectives()->alltoall(input(c), count_, type_, c.recv.data(), count_, type_, comm_, MPI_INFO_NULL,
                                            started_.request());
}

int MpiBackend::create_reduce(const Call& c) {
  return persistent_collectives()->reduce(reduce_input(c), c.recv.data(), count_, type_, op_, c.root, comm_,
                                          MPI_INFO_NULL, started_.request());
}

int MpiBackend::create_gather(const Call& c) {
  return persistent_collectives()->gather(reduce_input(c), count_, type_, c.recv.data(), count_, type_, c.root, comm_,
                                          MPI_INFO_NULL, started_.request());
}

int MpiBackend::create_scatter(const Call& c) {
  return persistent_collectives()->scatter(c.send.data(), count_, type_, scatter_result(c), count_, type_, c.root,
                                           comm_, MPI_INFO_NULL, started_.request());
}

int MpiBackend::create_barrier(const Call& /*c*/) {
  return persistent_collectives()->barrier(comm_, MPI_INFO_NULL, started_.request());
}

void MpiBackend::create_request(const Collective& what, const Call& c) {
  if (c.form != CallForm::persistent) return;
  started_.free();
  const Creator& creator = *std::ranges::find(creators, what.call, &Creator::call);
  persistent_function_ = creator.functions;
  mpi_check((this->*creator.create)(c), creator.functions);
}

const std::array<MpiBackend::Creator, 10> MpiBackend::creators{{
    {"allreduce", "MPI_Allreduce_init, MPI_Start", &MpiBackend::create_allreduce},
    {"allgather", "MPI_Allgather_init, MPI_Start", &MpiBackend::create_allgather},
    {"broadcast", "MPI_Bcast_init, MPI_Start", &MpiBackend::create_broadcast},
    {"reduce_scatter", "MPI_Reduce_scatter_init, MPI_Start", &MpiBackend::create_reduce_scatter},
    {"reduce_scatter_block", "MPI_Reduce_scatter_block_init, MPI_Start", &MpiBackend::create_reduce_scatter_block},
    {"alltoall", "MPI_Alltoall_init, MPI_Start", &MpiBackend::create_alltoall},
    {"reduce", "MPI_Reduce_init, MPI_Start", &MpiBackend::create_reduce},
    {"gather", "MPI_Gather_init, MPI_Start", &MpiBackend::create_gather},
    {"scatter", "MPI_Scatter_init, MPI_Start", &MpiBackend::create_scatter},
    {"barrier", "MPI_Barrier_init, MPI_Start", &MpiBackend::create_barrier},
}};

}  // namespace busbar
