// SPDX-License-Identifier: Apache-2.0
#include <climits>

#include <fmt/core.h>

#include "core/host_memory.hpp"
#include "core/mpi/check.hpp"
#include "core/mpi/reductions.hpp"
#include "core/reduce.hpp"
#include "core/units.hpp"

namespace busbar {
namespace {

/// MPI's collectives on host memory, over a communicator of its own.
class MpiBackend final : public HostBackend {
 public:
  MpiBackend() {
    mpi_check(MPI_Comm_dup(MPI_COMM_WORLD, &comm_), "MPI_Comm_dup");
    mpi_check(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    mpi_check(MPI_Comm_set_name(comm_, "busbar data"), "MPI_Comm_set_name");
  }
  ~MpiBackend() override { MPI_Comm_free(&comm_); }

  void prepare(const Call& c, bool reduces) override {
    if (c.count > INT_MAX)
      throw Unsupported(fmt::format("{} elements are more than the int that MPI 3 counts with", c.count));
    count_ = static_cast<int>(c.count);
    type_ = MpiReductions::datatype(c.type);
    op_ = reductions_.op(c.type, c.op);
    average_ = reduces && c.op == Op::avg;
  }

  [[nodiscard]] std::string reduction(DType type, Op op) const override { return MpiReductions::describe(type, op); }

  void allreduce(const Call& c) override {
    mpi_check(timed(c, [&] { return averaged(MPI_Allreduce(input(c), c.recv.data(), count_, type_, op_, comm_), c); }),
              "MPI_Allreduce");
  }
  void allgather(const Call& c) override {
    mpi_check(timed(c, [&] { return MPI_Allgather(input(c), count_, type_, c.recv.data(), count_, type_, comm_); }),
              "MPI_Allgather");
  }
  void broadcast(const Call& c) override {
    mpi_check(timed(c, [&] { return MPI_Bcast(c.recv.data(), count_, type_, c.root, comm_); }), "MPI_Bcast");
  }
  void reduce_scatter(const Call& c) override {
    mpi_check(timed(c,
                    [&] {
                      return averaged(MPI_Reduce_scatter_block(input(c), c.recv.data(), count_, type_, op_, comm_), c);
                    }),
              "MPI_Reduce_scatter_block");
  }
  void alltoall(const Call& c) override {
    mpi_check(timed(c, [&] { return MPI_Alltoall(input(c), count_, type_, c.recv.data(), count_, type_, comm_); }),
              "MPI_Alltoall");
  }
  void reduce(const Call& c) override {
    const void* from = c.rank == c.root ? input(c) : c.send.data();
    mpi_check(timed(c, [&] { return averaged(MPI_Reduce(from, c.recv.data(), count_, type_, op_, c.root, comm_), c); }),
              "MPI_Reduce");
  }
  void gather(const Call& c) override {
    const void* from = c.rank == c.root ? input(c) : c.send.data();
    mpi_check(timed(c, [&] { return MPI_Gather(from, count_, type_, c.recv.data(), count_, type_, c.root, comm_); }),
              "MPI_Gather");
  }
  void scatter(const Call& c) override {
    void* to = c.in_place && c.rank == c.root ? MPI_IN_PLACE : c.recv.data();
    mpi_check(timed(c, [&] { return MPI_Scatter(c.send.data(), count_, type_, to, count_, type_, c.root, comm_); }),
              "MPI_Scatter");
  }
  void sendrecv(const Call& c) override {
    const int next = (c.rank + 1) % c.ranks, previous = (c.rank + c.ranks - 1) % c.ranks;
    if (c.in_place)
      mpi_check(timed(c,
                      [&] {
                        return MPI_Sendrecv_replace(c.recv.data(), count_, type_, next, 0, previous, 0, comm_,
                                                    MPI_STATUS_IGNORE);
                      }),
                "MPI_Sendrecv_replace");
    else
      mpi_check(timed(c,
                      [&] {
                        return MPI_Sendrecv(c.send.data(), count_, type_, next, 0, c.recv.data(), count_, type_,
                                            previous, 0, comm_, MPI_STATUS_IGNORE);
                      }),
                "MPI_Sendrecv");
  }
  void barrier(const Call& c) override {
    mpi_check(timed(c, [&] { return MPI_Barrier(comm_); }), "MPI_Barrier");
  }

 private:
  static const void* input(const Call& c) { return c.in_place ? MPI_IN_PLACE : c.send.data(); }

  /// MPI has no average: it has summed, what is left is the division of this rank's result. Gives `code` back.
  int averaged(int code, const Call& c) const {
    if (average_) divide_local(c.type, c.recv.data(), c.recv.size() / size_of(c.type), c.ranks);
    return code;
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  MpiReductions reductions_;
  // Of the call that was prepared, looked up once so that the timed part holds MPI's call and nothing else.
  int count_ = 0;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  MPI_Op op_ = MPI_OP_NULL;
  bool average_ = false;
};

}  // namespace

extern const BackendFactory mpi{
    .name = "mpi",
    .about = "MPI's collectives on host memory",
    .make = [](Group&) -> std::unique_ptr<Backend> { return std::make_unique<MpiBackend>(); },
};

}  // namespace busbar
