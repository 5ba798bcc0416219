// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "bench/backends/mpi/algorithms.hpp"
#include "core/backend/backend.hpp"
#include "core/backend/collective.hpp"
#include "core/mpi/check.hpp"
#include "core/mpi/communicator.hpp"
#include "core/mpi/exposed_memory.hpp"
#include "core/mpi/persistent.hpp"
#include "core/mpi/reductions.hpp"

namespace busbar {

/// The request of a started call.
class MpiStarted final : public Started {
 public:
  ~MpiStarted() override { free(); }
  bool test() override {
    int done = 0;
    mpi_check(MPI_Test(&request_, &done, MPI_STATUS_IGNORE), "MPI_Test");
    return done != 0;
  }
  [[nodiscard]] MPI_Request* request() { return &request_; }
  [[nodiscard]] bool created() const { return request_ != MPI_REQUEST_NULL; }
  /// Frees a persistent request, which must not be started. Local.
  void free() {
    if (created()) MPI_Request_free(&request_);
  }

 private:
  MPI_Request request_ = MPI_REQUEST_NULL;
};

/// MPI's collectives and its calls between pairs, over communicators of its own, on the given memory. Calls are in a
/// file per family.
class MpiBackend final : public BlockingBackend {
 public:
  /// Collective. `algorithms`: null if none will be requested.
  MpiBackend(const Group& group, std::unique_ptr<MemorySpace> memory, BackendFacts facts,
             std::unique_ptr<MpiAlgorithms> algorithms, bool with_data = true);

  [[nodiscard]] BackendFacts facts() const override { return facts_; }
  void prepare(const Collective& what, const Call& c) override;
  [[nodiscard]] std::vector<std::vector<std::string>> expand_algorithms(
      std::span<const Collective* const> collectives, const std::vector<std::string>& requested) const override {
    return algorithms_.expand(collectives, requested);
  }
  /// Sets up the communicator of an algorithm, if one is requested, and makes the call once, because libraries refuse
  /// some algorithms only then: two_proc for 4 ranks.
  void try_out(const Collective& what, const Call& c) override;
  void create_request(const Collective& what, const Call& c) override;

  void expose(Bytes send, Bytes recv) override { exposed_.emplace(owner_.handle(), send, recv); }
  void withdraw() override { exposed_.reset(); }

  [[nodiscard]] std::string reduction(DType type, Op op) const override { return MpiReductions::describe(type, op); }
  [[nodiscard]] std::string_view library() const override { return "MPI"; }
  [[nodiscard]] std::string_view library_call() const override { return function_; }
  [[nodiscard]] std::span<const Offer> offers() const override;

 private:
  // collectives.cpp
  void allreduce(const Call&);
  void allgather(const Call&);
  void broadcast(const Call&);
  void reduce_scatter(const Call&);
  void reduce_scatter_block(const Call&);
  void alltoall(const Call&);
  void reduce(const Call&);
  void gather(const Call&);
  void scatter(const Call&);
  void barrier(const Call&);
  void incast(const Call&);
  void sendrecv(const Call&);
  void sendrecv_replace(const Call&);
  int to_root(const Call&);

  // uneven.cpp
  /// Sizes of blocks and where they begin in a buffer, in elements.
  struct Blocks {
    std::vector<int> counts, at;
    void add(std::size_t count, std::size_t begin) {
      counts.push_back(static_cast<int>(count));
      at.push_back(static_cast<int>(begin));
    }
  };
  static Blocks sent_blocks(const Call&);
  static Blocks received_blocks(const Call&);
  [[nodiscard]] int own(const Call& c) const { return sent_.counts[static_cast<std::size_t>(c.rank)]; }
  void allgatherv(const Call&);
  void alltoallv(const Call&);
  void reduce_scatterv(const Call&);
  void gatherv(const Call&);
  void scatterv(const Call&);

  // pairs.cpp
  void pingpong(const Call&);
  void unidirectional(const Call&);
  void bidirectional(const Call&);
  int send(const Call&);
  int receive(const Call&);
  int post_sends(const Call&, MPI_Request*& next);
  int post_receives(const Call&, MPI_Request*& next);
  int wait_for_all(const MPI_Request* end);

  // one_sided.cpp
  static void require_one_sided(const Collective&, const Call&);
  template <class Access>
  void time_access(std::string_view name, const Call&, MPI_Win, Access);
  void put(const Call&);
  void get(const Call&);
  void accumulate(const Call&);

  /// What messages call the functions of one collective in each form.
  struct Names {
    std::string_view plain, nonblocking, persistent;
  };

  /// Makes a collective in the form of the call: times plain(arguments...), or `start` and the wait, or the start of
  /// the request of `create`. A persistent call that has no request yet only creates it. Inlined, so that a plain call
  /// is as short before the barrier as if it had only this form.
  template <class Plain, class Start, class Create, class... Arguments>
  [[gnu::always_inline]] void make(const Names& names, const Call& c, Plain plain, Start start, Create create,
                                   Arguments... arguments) {
    if (c.form == CallForm::plain) return time_mpi(names.plain, c, plain, arguments...);
    if (c.form == CallForm::nonblocking)
      return time_split(names.nonblocking, c, [=](MPI_Request* request) { return start(arguments..., request); });
    if constexpr (!std::is_null_pointer_v<Create>) {
      if (started_.created())
        return time_split(names.persistent, c, [](MPI_Request* request) { return MPI_Start(request); });
      const auto function = persistent_collectives()->*create;
      mpi_check(function(arguments..., MPI_INFO_NULL, started_.request()), names.persistent);
    }
  }

  /// Times `start`, the work beside the call if there is any, and the wait.
  template <class Start>
  void time_split(std::string_view name, const Call& c, Start start) {
    time_call(name, c, [&] {
      if (const int code = start(started_.request()); code != MPI_SUCCESS) return code;
      if (c.beside != nullptr) c.beside->work_beside(started_);
      return averaged(MPI_Wait(started_.request(), MPI_STATUS_IGNORE), c);
    });
  }

  /// Times function(arguments...), which is MPI's `name`. The arguments are read before the barrier: nothing comes
  /// between the begin and the call. Throws Error with MPI's text on failure.
  template <class Function, class... Arguments>
  void time_mpi(std::string_view name, const Call& c, Function function, Arguments... arguments) {
    time_call(name, c, [=, this, &c, average = average_] {
      const int code = function(arguments...);
      return average ? averaged(code, c) : code;
    });
  }

  /// Times `once`, which calls the functions `name` of MPI. Throws Error with MPI's text on failure.
  template <class Once>
  void time_call(std::string_view name, const Call& c, Once once) {
    function_ = name;
    mpi_check(timed(c, once), name);
  }

  static const void* input(const Call& c) { return c.in_place ? MPI_IN_PLACE : c.send.data(); }
  /// Input of reduce and gather: only the root's can be in place.
  static const void* reduce_input(const Call& c) { return c.rank == c.root ? input(c) : c.send.data(); }
  static void* scatter_result(const Call& c) { return c.in_place && c.rank == c.root ? MPI_IN_PLACE : c.recv.data(); }

  /// MPI has no average: divides this rank's sum by the number of ranks. Returns `code`.
  int averaged(int code, const Call& c) {
    if (average_) memory().divide(c.recv, c.type, c.ranks);
    return code;
  }

  static constexpr int acknowledgement = 1;  ///< tag; data has 0

  BackendFacts facts_;
  const Communicator owner_;
  RequestedAlgorithms algorithms_;
  MpiReductions reductions_;
  std::optional<ExposedMemory> exposed_;
  // State of the prepared call, so that the timed part is MPI's call alone.
  MPI_Comm comm_ = owner_.handle();
  int count_ = 0;
  std::size_t bytes_ = 0;    ///< of count_ elements
  std::byte byte_{};         ///< acknowledgement
  std::vector<int> counts_;  ///< the same for each rank
  Blocks sent_, received_;   ///< of an uneven collective
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  MPI_Op op_ = MPI_OP_NULL;
  bool average_ = false;
  std::vector<MPI_Request> requests_;  ///< room for all messages of a call
  MpiStarted started_;
  std::string_view function_;  ///< MPI function of the last call, a string literal
};

}  // namespace busbar
