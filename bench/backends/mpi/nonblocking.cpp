// SPDX-License-Identifier: Apache-2.0
#include "bench/backends/mpi/backend.hpp"

namespace busbar {

void MpiBackend::iallreduce(const Call& c) {
  time_split("MPI_Iallreduce", c, [&](MPI_Request* request) {
    return MPI_Iallreduce(input(c), c.recv.data(), count_, type_, op_, comm_, request);
  });
}

void MpiBackend::iallgather(const Call& c) {
  time_split("MPI_Iallgather", c, [&](MPI_Request* request) {
    return MPI_Iallgather(input(c), count_, type_, c.recv.data(), count_, type_, comm_, request);
  });
}

void MpiBackend::ibroadcast(const Call& c) {
  time_split("MPI_Ibcast", c,
             [&](MPI_Request* request) { return MPI_Ibcast(c.recv.data(), count_, type_, c.root, comm_, request); });
}

void MpiBackend::ireduce_scatter(const Call& c) {
  time_split("MPI_Ireduce_scatter", c, [&](MPI_Request* request) {
    return MPI_Ireduce_scatter(input(c), c.recv.data(), counts_.data(), type_, op_, comm_, request);
  });
}

void MpiBackend::ireduce_scatter_block(const Call& c) {
  time_split("MPI_Ireduce_scatter_block", c, [&](MPI_Request* request) {
    return MPI_Ireduce_scatter_block(input(c), c.recv.data(), count_, type_, op_, comm_, request);
  });
}

void MpiBackend::ialltoall(const Call& c) {
  time_split("MPI_Ialltoall", c, [&](MPI_Request* request) {
    return MPI_Ialltoall(input(c), count_, type_, c.recv.data(), count_, type_, comm_, request);
  });
}

void MpiBackend::ireduce(const Call& c) {
  time_split("MPI_Ireduce", c, [&](MPI_Request* request) {
    return MPI_Ireduce(reduce_input(c), c.recv.data(), count_, type_, op_, c.root, comm_, request);
  });
}

void MpiBackend::igather(const Call& c) {
  time_split("MPI_Igather", c, [&](MPI_Request* request) {
    return MPI_Igather(reduce_input(c), count_, type_, c.recv.data(), count_, type_, c.root, comm_, request);
  });
}

void MpiBackend::iscatter(const Call& c) {
  time_split("MPI_Iscatter", c, [&](MPI_Request* request) {
    return MPI_Iscatter(c.send.data(), count_, type_, scatter_result(c), count_, type_, c.root, comm_, request);
  });
}

void MpiBackend::ibarrier(const Call& c) {
  time_split("MPI_Ibarrier", c, [&](MPI_Request* request) { return MPI_Ibarrier(comm_, request); });
}

}  // namespace busbar
