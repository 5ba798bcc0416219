// SPDX-License-Identifier: Apache-2.0
#include <climits>

#include "bench/backends/mpi/backend.hpp"
#include "core/backend/block_shares.hpp"

namespace busbar {

/// The block of each rank, as this rank divides its elements.
MpiBackend::Blocks MpiBackend::sent_blocks(const Call& c) {
  Blocks blocks;
  for (int r = 0; r < c.ranks; ++r)
    blocks.add(c.shares->count(c.rank, r, c.count), c.shares->start(c.rank, r, c.count));
  return blocks;
}

/// The blocks that each rank has for this one. Throws Unsupported if they are too large together.
MpiBackend::Blocks MpiBackend::received_blocks(const Call& c) {
  Blocks blocks;
  std::size_t at = 0;
  for (int r = 0; r < c.ranks; ++r) {
    const std::size_t count = c.shares->count(r, c.rank, c.count);
    blocks.add(count, at);
    at += count;
    if (at > INT_MAX) throw Unsupported("a rank receives more elements than the int that MPI 3 places blocks with");
  }
  return blocks;
}

void MpiBackend::allgatherv(const Call& c) {
  time_mpi("MPI_Allgatherv", c, MPI_Allgatherv, input(c), own(c), type_, c.recv.data(), sent_.counts.data(),
           sent_.at.data(), type_, comm_);
}

void MpiBackend::alltoallv(const Call& c) {
  time_mpi("MPI_Alltoallv", c, MPI_Alltoallv, c.send.data(), sent_.counts.data(), sent_.at.data(), type_, c.recv.data(),
           received_.counts.data(), received_.at.data(), type_, comm_);
}

void MpiBackend::reduce_scatterv(const Call& c) {
  time_mpi("MPI_Reduce_scatter", c, MPI_Reduce_scatter, input(c), c.recv.data(), sent_.counts.data(), type_, op_,
           comm_);
}

void MpiBackend::gatherv(const Call& c) {
  time_mpi("MPI_Gatherv", c, MPI_Gatherv, reduce_input(c), own(c), type_, c.recv.data(), sent_.counts.data(),
           sent_.at.data(), type_, c.root, comm_);
}

void MpiBackend::scatterv(const Call& c) {
  time_mpi("MPI_Scatterv", c, MPI_Scatterv, c.send.data(), sent_.counts.data(), sent_.at.data(), type_,
           scatter_result(c), own(c), type_, c.root, comm_);
}

void MpiBackend::iallgatherv(const Call& c) {
  time_split("MPI_Iallgatherv", c, [&](MPI_Request* request) {
    return MPI_Iallgatherv(input(c), own(c), type_, c.recv.data(), sent_.counts.data(), sent_.at.data(), type_, comm_,
                           request);
  });
}

void MpiBackend::ialltoallv(const Call& c) {
  time_split("MPI_Ialltoallv", c, [&](MPI_Request* request) {
    return MPI_Ialltoallv(c.send.data(), sent_.counts.data(), sent_.at.data(), type_, c.recv.data(),
                          received_.counts.data(), received_.at.data(), type_, comm_, request);
  });
}

void MpiBackend::ireduce_scatterv(const Call& c) {
  time_split("MPI_Ireduce_scatter", c, [&](MPI_Request* request) {
    return MPI_Ireduce_scatter(input(c), c.recv.data(), sent_.counts.data(), type_, op_, comm_, request);
  });
}

void MpiBackend::igatherv(const Call& c) {
  time_split("MPI_Igatherv", c, [&](MPI_Request* request) {
    return MPI_Igatherv(reduce_input(c), own(c), type_, c.recv.data(), sent_.counts.data(), sent_.at.data(), type_,
                        c.root, comm_, request);
  });
}

void MpiBackend::iscatterv(const Call& c) {
  time_split("MPI_Iscatterv", c, [&](MPI_Request* request) {
    return MPI_Iscatterv(c.send.data(), sent_.counts.data(), sent_.at.data(), type_, scatter_result(c), own(c), type_,
                         c.root, comm_, request);
  });
}

}  // namespace busbar
