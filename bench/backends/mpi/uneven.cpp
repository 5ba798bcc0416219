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
  make({"MPI_Allgatherv", "MPI_Iallgatherv"}, c, MPI_Allgatherv, MPI_Iallgatherv, nullptr, input(c), own(c), type_,
       c.recv.data(), sent_.counts.data(), sent_.at.data(), type_, comm_);
}

void MpiBackend::alltoallv(const Call& c) {
  make({"MPI_Alltoallv", "MPI_Ialltoallv"}, c, MPI_Alltoallv, MPI_Ialltoallv, nullptr, c.send.data(),
       sent_.counts.data(), sent_.at.data(), type_, c.recv.data(), received_.counts.data(), received_.at.data(), type_,
       comm_);
}

void MpiBackend::reduce_scatterv(const Call& c) {
  make({"MPI_Reduce_scatter", "MPI_Ireduce_scatter"}, c, MPI_Reduce_scatter, MPI_Ireduce_scatter, nullptr, input(c),
       c.recv.data(), sent_.counts.data(), type_, op_, comm_);
}

void MpiBackend::gatherv(const Call& c) {
  make({"MPI_Gatherv", "MPI_Igatherv"}, c, MPI_Gatherv, MPI_Igatherv, nullptr, reduce_input(c), own(c), type_,
       c.recv.data(), sent_.counts.data(), sent_.at.data(), type_, c.root, comm_);
}

void MpiBackend::scatterv(const Call& c) {
  make({"MPI_Scatterv", "MPI_Iscatterv"}, c, MPI_Scatterv, MPI_Iscatterv, nullptr, c.send.data(), sent_.counts.data(),
       sent_.at.data(), type_, scatter_result(c), own(c), type_, c.root, comm_);
}

}  // namespace busbar
