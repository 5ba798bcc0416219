// SPDX-License-Identifier: Apache-2.0
#include "bench/backends/mpi/backend.hpp"

namespace busbar {

// Between pairs. A rank that is its own peer takes no part.

void MpiBackend::pingpong(const Call& c) {
  time_call("MPI_Send, MPI_Recv", c, [&]() -> int {
    if (c.rank == c.to) return MPI_SUCCESS;
    const int code = c.rank < c.to ? send(c) : receive(c);
    if (code != MPI_SUCCESS) return code;
    return c.rank < c.to ? receive(c) : send(c);
  });
}

/// The receiver acknowledges a window by one byte: the sender's time ends when all messages have arrived.
void MpiBackend::unidirectional(const Call& c) {
  time_call("MPI_Isend, MPI_Irecv, MPI_Waitall", c, [&]() -> int {
    if (c.rank == c.to) return MPI_SUCCESS;
    const bool sends = c.rank < c.to;
    MPI_Request* next = requests_.data();
    int code = sends ? post_sends(c, next) : post_receives(c, next);
    if (code == MPI_SUCCESS) code = wait_for_all(next);
    if (code != MPI_SUCCESS) return code;
    return sends ? MPI_Recv(&byte_, 1, MPI_BYTE, c.to, acknowledgement, comm_, MPI_STATUS_IGNORE)
                 : MPI_Send(&byte_, 1, MPI_BYTE, c.to, acknowledgement, comm_);
  });
}

void MpiBackend::bidirectional(const Call& c) {
  time_call("MPI_Isend, MPI_Irecv, MPI_Waitall", c, [&]() -> int {
    if (c.rank == c.to) return MPI_SUCCESS;
    MPI_Request* next = requests_.data();
    int code = post_receives(c, next);
    if (code == MPI_SUCCESS) code = post_sends(c, next);
    return code == MPI_SUCCESS ? wait_for_all(next) : code;
  });
}

int MpiBackend::send(const Call& c) { return MPI_Send(c.send.data(), count_, type_, c.to, 0, comm_); }

int MpiBackend::receive(const Call& c) {
  return MPI_Recv(c.recv.data(), count_, type_, c.to, 0, comm_, MPI_STATUS_IGNORE);
}

int MpiBackend::post_sends(const Call& c, MPI_Request*& next) {
  int code = MPI_SUCCESS;
  const std::byte* from = c.send.data();
  for (int i = 0; i < c.window && code == MPI_SUCCESS; ++i, from += bytes_)
    code = MPI_Isend(from, count_, type_, c.to, 0, comm_, next++);
  return code;
}

int MpiBackend::post_receives(const Call& c, MPI_Request*& next) {
  int code = MPI_SUCCESS;
  std::byte* to = c.recv.data();
  for (int i = 0; i < c.window && code == MPI_SUCCESS; ++i, to += bytes_)
    code = MPI_Irecv(to, count_, type_, c.to, 0, comm_, next++);
  return code;
}

int MpiBackend::wait_for_all(const MPI_Request* end) {
  return MPI_Waitall(static_cast<int>(end - requests_.data()), requests_.data(), MPI_STATUSES_IGNORE);
}

}  // namespace busbar
