// SPDX-License-Identifier: Apache-2.0
#include "bench/backends/mpi/backend.hpp"

namespace busbar {

void MpiBackend::allreduce(const Call& c) {
  time_mpi("MPI_Allreduce", c, MPI_Allreduce, input(c), c.recv.data(), count_, type_, op_, comm_);
}

void MpiBackend::allgather(const Call& c) {
  time_mpi("MPI_Allgather", c, MPI_Allgather, input(c), count_, type_, c.recv.data(), count_, type_, comm_);
}

void MpiBackend::broadcast(const Call& c) {
  time_mpi("MPI_Bcast", c, MPI_Bcast, c.recv.data(), count_, type_, c.root, comm_);
}

void MpiBackend::reduce_scatter(const Call& c) {
  time_mpi("MPI_Reduce_scatter", c, MPI_Reduce_scatter, input(c), c.recv.data(), counts_.data(), type_, op_, comm_);
}

void MpiBackend::reduce_scatter_block(const Call& c) {
  time_mpi("MPI_Reduce_scatter_block", c, MPI_Reduce_scatter_block, input(c), c.recv.data(), count_, type_, op_, comm_);
}

void MpiBackend::alltoall(const Call& c) {
  time_mpi("MPI_Alltoall", c, MPI_Alltoall, input(c), count_, type_, c.recv.data(), count_, type_, comm_);
}

void MpiBackend::reduce(const Call& c) {
  time_mpi("MPI_Reduce", c, MPI_Reduce, reduce_input(c), c.recv.data(), count_, type_, op_, c.root, comm_);
}

void MpiBackend::gather(const Call& c) {
  time_mpi("MPI_Gather", c, MPI_Gather, reduce_input(c), count_, type_, c.recv.data(), count_, type_, c.root, comm_);
}

void MpiBackend::scatter(const Call& c) {
  time_mpi("MPI_Scatter", c, MPI_Scatter, c.send.data(), count_, type_, scatter_result(c), count_, type_, c.root,
           comm_);
}

void MpiBackend::barrier(const Call& c) { time_mpi("MPI_Barrier", c, MPI_Barrier, comm_); }

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
