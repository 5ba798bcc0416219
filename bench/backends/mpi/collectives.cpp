// SPDX-License-Identifier: Apache-2.0
#include "bench/backends/mpi/backend.hpp"

namespace busbar {

void MpiBackend::allreduce(const Call& c) {
  make({"MPI_Allreduce", "MPI_Iallreduce", "MPI_Allreduce_init, MPI_Start"}, c, MPI_Allreduce, MPI_Iallreduce,
       &PersistentCollectives::allreduce, input(c), c.recv.data(), count_, type_, op_, comm_);
}

void MpiBackend::allgather(const Call& c) {
  make({"MPI_Allgather", "MPI_Iallgather", "MPI_Allgather_init, MPI_Start"}, c, MPI_Allgather, MPI_Iallgather,
       &PersistentCollectives::allgather, input(c), count_, type_, c.recv.data(), count_, type_, comm_);
}

void MpiBackend::broadcast(const Call& c) {
  make({"MPI_Bcast", "MPI_Ibcast", "MPI_Bcast_init, MPI_Start"}, c, MPI_Bcast, MPI_Ibcast,
       &PersistentCollectives::broadcast, c.recv.data(), count_, type_, c.root, comm_);
}

void MpiBackend::reduce_scatter(const Call& c) {
  make({"MPI_Reduce_scatter", "MPI_Ireduce_scatter", "MPI_Reduce_scatter_init, MPI_Start"}, c, MPI_Reduce_scatter,
       MPI_Ireduce_scatter, &PersistentCollectives::reduce_scatter, input(c), c.recv.data(), counts_.data(), type_, op_,
       comm_);
}

void MpiBackend::reduce_scatter_block(const Call& c) {
  make({"MPI_Reduce_scatter_block", "MPI_Ireduce_scatter_block", "MPI_Reduce_scatter_block_init, MPI_Start"}, c,
       MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, &PersistentCollectives::reduce_scatter_block, input(c),
       c.recv.data(), count_, type_, op_, comm_);
}

void MpiBackend::alltoall(const Call& c) {
  make({"MPI_Alltoall", "MPI_Ialltoall", "MPI_Alltoall_init, MPI_Start"}, c, MPI_Alltoall, MPI_Ialltoall,
       &PersistentCollectives::alltoall, input(c), count_, type_, c.recv.data(), count_, type_, comm_);
}

void MpiBackend::reduce(const Call& c) {
  make({"MPI_Reduce", "MPI_Ireduce", "MPI_Reduce_init, MPI_Start"}, c, MPI_Reduce, MPI_Ireduce,
       &PersistentCollectives::reduce, reduce_input(c), c.recv.data(), count_, type_, op_, c.root, comm_);
}

void MpiBackend::gather(const Call& c) {
  make({"MPI_Gather", "MPI_Igather", "MPI_Gather_init, MPI_Start"}, c, MPI_Gather, MPI_Igather,
       &PersistentCollectives::gather, reduce_input(c), count_, type_, c.recv.data(), count_, type_, c.root, comm_);
}

void MpiBackend::scatter(const Call& c) {
  make({"MPI_Scatter", "MPI_Iscatter", "MPI_Scatter_init, MPI_Start"}, c, MPI_Scatter, MPI_Iscatter,
       &PersistentCollectives::scatter, c.send.data(), count_, type_, scatter_result(c), count_, type_, c.root, comm_);
}

void MpiBackend::barrier(const Call& c) {
  make({"MPI_Barrier", "MPI_Ibarrier", "MPI_Barrier_init, MPI_Start"}, c, MPI_Barrier, MPI_Ibarrier,
       &PersistentCollectives::barrier, comm_);
}

void MpiBackend::incast(const Call& c) {
  time_call("MPI_Isend, MPI_Irecv", c, [&] { return to_root(c); });
}

void MpiBackend::sendrecv(const Call& c) {
  if (c.in_place) return sendrecv_replace(c);
  time_mpi("MPI_Sendrecv", c, MPI_Sendrecv, c.send.data(), count_, type_, c.to, 0, c.recv.data(), count_, type_, c.from,
           0, comm_, MPI_STATUS_IGNORE);
}

void MpiBackend::sendrecv_replace(const Call& c) {
  time_mpi("MPI_Sendrecv_replace", c, MPI_Sendrecv_replace, c.recv.data(), count_, type_, c.to, 0, c.from, 0, comm_,
           MPI_STATUS_IGNORE);
}

/// Starts all messages before it waits for any.
int MpiBackend::to_root(const Call& c) {
  const std::size_t block = c.count * size_of(c.type);
  const bool own = c.rank == c.root, own_block = !own || !c.in_place;
  MPI_Request* next = requests_.data();
  int code = MPI_SUCCESS;
  for (int r = 0; own && r < c.ranks && code == MPI_SUCCESS; ++r)
    if (r != c.root || own_block)
      code = MPI_Irecv(c.recv.data() + static_cast<std::size_t>(r) * block, count_, type_, r, 0, comm_, next++);
  if (own_block && code == MPI_SUCCESS) code = MPI_Isend(c.send.data(), count_, type_, c.root, 0, comm_, next++);
  if (code != MPI_SUCCESS) return code;
  return MPI_Waitall(static_cast<int>(next - requests_.data()), requests_.data(), MPI_STATUSES_IGNORE);
}

}  // namespace busbar
