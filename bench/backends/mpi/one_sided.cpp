// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "bench/backends/mpi/backend.hpp"
#include "core/ranks/here.hpp"

namespace busbar {
namespace {

MPI_Aint displacement(std::size_t at) { return static_cast<MPI_Aint>(at); }

}  // namespace

/// Times the accesses of the first of a pair, each made by `access` at a position in bytes, and their flush. Its peer
/// spends no time in the call; both then exchange an untimed message, after which the data can be read.
template <class Access>
void MpiBackend::time_access(std::string_view name, const Call& c, MPI_Win window, Access access) {
  function_ = name;
  const int code = timed(c, [&]() -> int {
    if (c.rank >= c.to) return MPI_SUCCESS;
    int made = MPI_SUCCESS;
    for (std::size_t i = 0, at = 0; i < static_cast<std::size_t>(c.window) && made == MPI_SUCCESS; ++i, at += bytes_)
      made = access(at);
    return made == MPI_SUCCESS ? MPI_Win_flush(c.to, window) : made;
  });
  if (c.rank == c.to) return;
  mpi_check(MPI_Sendrecv(nullptr, 0, MPI_BYTE, c.to, acknowledgement, nullptr, 0, MPI_BYTE, c.to, acknowledgement,
                         comm_, MPI_STATUS_IGNORE),
            "MPI_Sendrecv");
  mpi_check(code, name);
  exposed_->synchronise();
}

void MpiBackend::put(const Call& c) {
  time_access("MPI_Put, MPI_Win_flush", c, exposed_->recv(), [&](std::size_t at) {
    return MPI_Put(c.send.data() + at, count_, type_, c.to, displacement(at), count_, type_, exposed_->recv());
  });
}

void MpiBackend::get(const Call& c) {
  time_access("MPI_Get, MPI_Win_flush", c, exposed_->send(), [&](std::size_t at) {
    return MPI_Get(c.recv.data() + at, count_, type_, c.to, displacement(at), count_, type_, exposed_->send());
  });
}

void MpiBackend::accumulate(const Call& c) {
  time_access("MPI_Accumulate, MPI_Win_flush", c, exposed_->recv(), [&](std::size_t at) {
    return MPI_Accumulate(c.send.data() + at, count_, type_, c.to, displacement(at), count_, type_, op_,
                          exposed_->recv());
  });
}

void MpiBackend::require_one_sided(const Collective& what, const Call& c) {
  if (here::simulation() != nullptr) throw Unsupported("one-sided calls are not simulated");
  if (!what.reduces) return;
  if (c.op == Op::avg || MpiReductions::registered(c.type))
    throw Unsupported(fmt::format("MPI_Accumulate has no {} of {}: it takes no operations that programs register",
                                  name(c.op), name(c.type)));
}

}  // namespace busbar
