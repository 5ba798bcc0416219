// SPDX-License-Identifier: Apache-2.0
// A library to preload between busbar-bench and MPI. It breaks the collectives of the data plane as BUSBAR_TEST_FAULT
// says, through MPI's profiling interface (every MPI_X is also PMPI_X).
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <list>
#include <map>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <mpi.h>
#include <unistd.h>

#include "core/elements/reduce/reduce.hpp"
#include "tests/mpi/data_plane.hpp"

namespace {

using busbar::test::is_data_plane;

using busbar::DType;

/// Buffers of a call on this rank. The receive buffer consists of blocks.
struct Buffers {
  const void* send;
  void* recv;
  std::size_t bytes;  ///< of the receive buffer; 0 on ranks that receive nothing
  std::size_t blocks;
  MPI_Datatype type;
  MPI_Comm comm;
  bool reduces;
  std::string_view name = "";  ///< of those that can be broken everywhere
};

std::string_view fault() {
  const char* name = std::getenv("BUSBAR_TEST_FAULT");
  return name == nullptr ? "" : name;
}

int rank_in(MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return rank;
}

std::size_t ranks_in(MPI_Comm comm) {
  int size = 0;
  PMPI_Comm_size(comm, &size);
  return static_cast<std::size_t>(size);
}

std::size_t bytes_of(int count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return static_cast<std::size_t>(count) * static_cast<std::size_t>(size);
}

void flip(const Buffers& b, std::size_t at) {
  if (at < b.bytes) static_cast<unsigned char*>(b.recv)[at] ^= 1U;
}

/// The receive buffer becomes this rank's own data times the number of ranks (fp32 and int32).
void own_times_ranks(const Buffers& b) {
  if (b.bytes == 0) return;
  const DType type = b.type == MPI_FLOAT ? DType::f32 : DType::i32;
  const auto* from = static_cast<const std::byte*>(b.send == MPI_IN_PLACE ? b.recv : b.send);
  const std::vector<std::byte> own(from, from + b.bytes);
  std::vector<std::byte> sum = own;
  for (std::size_t r = 1; r < ranks_in(b.comm); ++r)
    busbar::reduce_local(busbar::Op::sum, type, own.data(), sum.data(), own.size() / busbar::size_of(type));
  std::memcpy(b.recv, sum.data(), sum.size());
}

void write_nan(const Buffers& b) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  if (b.bytes >= sizeof nan) std::memcpy(b.recv, &nan, sizeof nan);
}

/// Of the calls of a size the 7th, the 507th, ...
bool is_one_in_500(std::size_t bytes) {
  static std::map<std::size_t, long> calls;
  return ++calls[bytes] % 500 == 7;
}

/// "allgather_everywhere": also where busbar does not measure it.
bool broken_everywhere(const Buffers& b) {
  const std::string_view f = fault();
  return !b.name.empty() && f.starts_with(b.name) && f.substr(b.name.size()) == "_everywhere";
}

/// Makes the real call, or does not, and breaks its result.
int broken(const Buffers& b, const std::function<int()>& real) {
  if (broken_everywhere(b)) {
    const int code = real();
    flip(b, b.bytes - 1);
    return code;
  }
  if (!is_data_plane(b.comm)) return real();
  static long calls = 0;
  ++calls;
  const std::string_view f = fault();
  if (f == "nothing") return MPI_SUCCESS;
  if (f == "own_times_ranks" && b.reduces) {
    own_times_ranks(b);
    return MPI_SUCCESS;
  }
  if (f == "error" && rank_in(b.comm) == 1) return MPI_ERR_OTHER;
  if (f == "hang" && rank_in(b.comm) == 1 && calls > 20) ::pause();
  const int code = real();
  if (f == "last_byte") flip(b, b.bytes - 1);
  if (f == "one_rank" && rank_in(b.comm) == 1) flip(b, 0);
  if (f == "second_block") flip(b, b.bytes / b.blocks);
  if (f == "once_in_500" && calls % 500 == 0) flip(b, b.bytes / 2);
  if (f == "whole_call_in_500" && is_one_in_500(b.bytes))
    for (std::size_t at = 0; at < b.bytes; ++at) flip(b, at);
  if (f == "nan") write_nan(b);
  return code;
}

/// Target of messages in flight on this rank: the root's buffer of an incast.
Buffers& awaited() {
  static Buffers b{};
  return b;
}

/// Data of accesses that are not yet flushed, with what is broken in it.
std::list<std::vector<unsigned char>>& sent_broken() {
  static std::list<std::vector<unsigned char>> all;
  return all;
}

/// Makes an access to another rank's memory with data of this rank, broken on its way.
int put_broken(const void* data, std::size_t bytes, const std::function<int(const void*)>& real) {
  const std::string_view f = fault();
  if (f == "nothing") return MPI_SUCCESS;
  if (bytes == 0 || (f != "last_byte" && f != "nan")) return real(data);
  const auto* first = static_cast<const unsigned char*>(data);
  auto& copy = sent_broken().emplace_back(first, first + bytes);
  const Buffers b{.send = nullptr,
                  .recv = copy.data(),
                  .bytes = bytes,
                  .blocks = 2,
                  .type = MPI_BYTE,
                  .comm = MPI_COMM_NULL,
                  .reduces = false};
  if (f == "nan")
    write_nan(b);
  else
    flip(b, bytes - 1);
  return real(copy.data());
}

/// Buffers of reads that are not yet flushed.
std::vector<Buffers>& read_from_others() {
  static std::vector<Buffers> all;
  return all;
}

/// A message that is never sent, or never waited for.
int lost(MPI_Request* request) {
  *request = MPI_REQUEST_NULL;
  return MPI_SUCCESS;
}

}  // namespace

extern "C" {

/// "late": rank 1 leaves barriers 40 ms after the others, which is more than a busy machine makes them wait for a CPU.
int MPI_Barrier(MPI_Comm c) {
  const int code = PMPI_Barrier(c);
  if (fault() != "late" || rank_in(c) != 1) return code;
  std::this_thread::sleep_for(std::chrono::milliseconds(40));
  return code;
}

int MPI_Allreduce(const void* s, void* r, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c) {
  return broken({s, r, bytes_of(n, t), 2, t, c, true, "allreduce"}, [&] { return PMPI_Allreduce(s, r, n, t, op, c); });
}

/// Complete at once.
int MPI_Iallreduce(const void* s, void* r, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c, MPI_Request* request) {
  *request = MPI_REQUEST_NULL;
  return MPI_Allreduce(s, r, n, t, op, c);
}

int MPI_Allgather(const void* s, int sn, MPI_Datatype st, void* r, int rn, MPI_Datatype rt, MPI_Comm c) {
  return broken({s, r, bytes_of(rn, rt) * ranks_in(c), ranks_in(c), rt, c, false, "allgather"},
                [&] { return PMPI_Allgather(s, sn, st, r, rn, rt, c); });
}

int MPI_Bcast(void* b, int n, MPI_Datatype t, int root, MPI_Comm c) {
  return broken({b, b, bytes_of(n, t), 2, t, c, false}, [&] { return PMPI_Bcast(b, n, t, root, c); });
}

int MPI_Reduce_scatter_block(const void* s, void* r, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c) {
  return broken({s, r, bytes_of(n, t), 2, t, c, true}, [&] { return PMPI_Reduce_scatter_block(s, r, n, t, op, c); });
}

int MPI_Reduce_scatter(const void* s, void* r, const int* n, MPI_Datatype t, MPI_Op op, MPI_Comm c) {
  const std::size_t mine = bytes_of(n[rank_in(c)], t);
  return broken({s, r, mine, 2, t, c, true}, [&] { return PMPI_Reduce_scatter(s, r, n, t, op, c); });
}

int MPI_Alltoall(const void* s, int sn, MPI_Datatype st, void* r, int rn, MPI_Datatype rt, MPI_Comm c) {
  return broken({s, r, bytes_of(rn, rt) * ranks_in(c), ranks_in(c), rt, c, false},
                [&] { return PMPI_Alltoall(s, sn, st, r, rn, rt, c); });
}

int MPI_Reduce(const void* s, void* r, int n, MPI_Datatype t, MPI_Op op, int root, MPI_Comm c) {
  const std::size_t bytes = rank_in(c) == root ? bytes_of(n, t) : 0;
  return broken({s, r, bytes, 2, t, c, true}, [&] { return PMPI_Reduce(s, r, n, t, op, root, c); });
}

int MPI_Gather(const void* s, int sn, MPI_Datatype st, void* r, int rn, MPI_Datatype rt, int root, MPI_Comm c) {
  const std::size_t bytes = rank_in(c) == root ? bytes_of(rn, rt) * ranks_in(c) : 0;
  return broken({s, r, bytes, ranks_in(c), rt, c, false}, [&] { return PMPI_Gather(s, sn, st, r, rn, rt, root, c); });
}

int MPI_Scatter(const void* s, int sn, MPI_Datatype st, void* r, int rn, MPI_Datatype rt, int root, MPI_Comm c) {
  const std::size_t bytes = r == MPI_IN_PLACE ? 0 : bytes_of(rn, rt);
  return broken({s, r, bytes, 2, rt, c, false}, [&] { return PMPI_Scatter(s, sn, st, r, rn, rt, root, c); });
}

int MPI_Sendrecv(const void* s, int sn, MPI_Datatype st, int to, int stag, void* r, int rn, MPI_Datatype rt, int from,
                 int rtag, MPI_Comm c, MPI_Status* status) {
  return broken({s, r, bytes_of(rn, rt), 2, rt, c, false, "sendrecv"},
                [&] { return PMPI_Sendrecv(s, sn, st, to, stag, r, rn, rt, from, rtag, c, status); });
}

int MPI_Recv(void* r, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Status* status) {
  return broken({r, r, bytes_of(n, t), 2, t, c, false}, [&] { return PMPI_Recv(r, n, t, from, tag, c, status); });
}

int MPI_Put(const void* s, int sn, MPI_Datatype st, int to, MPI_Aint at, int n, MPI_Datatype t, MPI_Win w) {
  return put_broken(s, bytes_of(sn, st), [&](const void* data) { return PMPI_Put(data, sn, st, to, at, n, t, w); });
}

int MPI_Accumulate(const void* s, int sn, MPI_Datatype st, int to, MPI_Aint at, int n, MPI_Datatype t, MPI_Op op,
                   MPI_Win w) {
  return put_broken(s, bytes_of(sn, st),
                    [&](const void* data) { return PMPI_Accumulate(data, sn, st, to, at, n, t, op, w); });
}

int MPI_Get(void* r, int rn, MPI_Datatype rt, int from, MPI_Aint at, int n, MPI_Datatype t, MPI_Win w) {
  if (fault() == "nothing") return MPI_SUCCESS;
  read_from_others().push_back({r, r, bytes_of(rn, rt), 2, rt, MPI_COMM_NULL, false});
  return PMPI_Get(r, rn, rt, from, at, n, t, w);
}

int MPI_Win_flush(int rank, MPI_Win w) {
  const int code = PMPI_Win_flush(rank, w);
  for (const Buffers& b : std::exchange(read_from_others(), {})) {
    if (fault() == "last_byte") flip(b, b.bytes - 1);
    if (fault() == "nan") write_nan(b);
  }
  sent_broken().clear();
  return code;
}

int MPI_Sendrecv_replace(void* b, int n, MPI_Datatype t, int to, int stag, int from, int rtag, MPI_Comm c,
                         MPI_Status* status) {
  return broken({b, b, bytes_of(n, t), 2, t, c, false},
                [&] { return PMPI_Sendrecv_replace(b, n, t, to, stag, from, rtag, c, status); });
}

int MPI_Isend(const void* s, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request* request) {
  return is_data_plane(c) && fault() == "nothing" ? lost(request) : PMPI_Isend(s, n, t, to, tag, c, request);
}

int MPI_Irecv(void* r, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Request* request) {
  if (!is_data_plane(c)) return PMPI_Irecv(r, n, t, from, tag, c, request);
  if (awaited().bytes == 0) awaited() = {r, r, 0, ranks_in(c), t, c, false};
  awaited().bytes += bytes_of(n, t);
  return fault() == "nothing" ? lost(request) : PMPI_Irecv(r, n, t, from, tag, c, request);
}

int MPI_Waitall(int n, MPI_Request* requests, MPI_Status* statuses) {
  const Buffers b = std::exchange(awaited(), Buffers{});
  if (b.bytes == 0) return PMPI_Waitall(n, requests, statuses);
  return broken(b, [&] { return PMPI_Waitall(n, requests, statuses); });
}

}  // extern "C"
