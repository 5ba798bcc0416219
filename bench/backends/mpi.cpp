// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <climits>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/backend/blocking_backend.hpp"
#include "core/backend/collective.hpp"
#include "core/backend/device_memory.hpp"
#include "core/files/module.hpp"
#include "core/mpi/algorithms.hpp"
#include "core/mpi/check.hpp"
#include "core/mpi/communicator.hpp"
#include "core/mpi/cuda_aware.hpp"
#include "core/mpi/exposed_memory.hpp"
#include "core/mpi/group.hpp"
#include "core/mpi/persistent.hpp"
#include "core/mpi/reductions.hpp"
#include "core/ranks/here.hpp"

namespace busbar {
namespace {

constexpr const char* name_of_data_plane = "busbar data";

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
  /// Frees a persistent request, which must not be started. Local.
  void free() {
    if (request_ != MPI_REQUEST_NULL) MPI_Request_free(&request_);
  }

 private:
  MPI_Request request_ = MPI_REQUEST_NULL;
};

/// MPI's collectives and its calls between pairs, over communicators of its own, on the given memory: one for the
/// library's own choice, and one for each algorithm of a collective.
class MpiBackend final : public BlockingBackend {
 public:
  /// Collective. `algorithms`: null if none will be requested.
  MpiBackend(const Group& group, std::unique_ptr<MemorySpace> memory, BackendFacts facts,
             std::unique_ptr<MpiAlgorithms> algorithms, bool with_data = true)
      : BlockingBackend(std::move(memory)),
        facts_(std::move(facts)),
        owner_(communicator_of(group)),
        algorithms_(std::move(algorithms)),
        reductions_(with_data) {
    owner_.set_name(name_of_data_plane);
    if (algorithms_) facts_.notes.push_back(algorithms_->note());
  }

  [[nodiscard]] BackendFacts facts() const override { return facts_; }

  void prepare(const Collective& what, const Call& c) override {
    if (c.count > INT_MAX)
      throw Unsupported(fmt::format("{} elements are more than the int that MPI 3 counts with", c.count));
    if (what.call == "reduce_scatter" && c.count * static_cast<std::size_t>(c.ranks) > INT_MAX)
      throw Unsupported(fmt::format(
          "{} elements for each of {} ranks are more than the int that libraries add up counts in", c.count, c.ranks));
    type_ = MpiReductions::datatype(c.type);
    op_ = reductions_.op(c.type, c.op);
    if (c.form == CallForm::persistent && persistent_collectives() == nullptr)
      throw Unsupported("this MPI library has no persistent collectives (MPI_Allreduce_init and others, MPI 4)");
    if (what.reduces && op_ == MPI_OP_NULL)
      throw Unsupported(fmt::format("MPI has no {} of {}", name(c.op), name(c.type)));
    if (what.reduces && memory().kind() == "device" && MpiReductions::registered(c.type))
      throw Unsupported(
          fmt::format("MPI has no {} of {}, and busbar's own works on host memory", name(c.op), name(c.type)));
    if (what.family == Family::one_sided) require_one_sided(what, c);
    count_ = static_cast<int>(c.count);
    bytes_ = c.count * size_of(c.type);
    counts_.assign(static_cast<std::size_t>(c.ranks), count_);
    if (c.shares != nullptr) {
      sent_ = sent_blocks(c);
      received_ = received_blocks(c);
    }
    average_ = what.reduces && c.op == Op::avg;
    requests_.resize(static_cast<std::size_t>(std::max(c.ranks + 1, 2 * c.window)));
    choose_algorithm(what, c);
  }

  [[nodiscard]] std::vector<std::vector<std::string>> expand_algorithms(
      std::span<const Collective* const> collectives, const std::vector<std::string>& requested) const override {
    std::vector<std::vector<std::string>> all;
    std::set<std::string> unknown(requested.begin(), requested.end());
    for (const Collective* c : collectives) all.push_back(expand(*c, requested, unknown));
    for (const std::string& text : requested)
      if (unknown.contains(text)) throw_unknown(collectives, text);
    return all;
  }

  /// Sets up the communicator of an algorithm, if one is requested, and makes the call once, because libraries refuse
  /// some algorithms only then: two_proc for 4 ranks.
  void try_out(const Collective& what, const Call& c) override {
    if (!c.algorithm.empty()) add_communicator(what, c);
    choose_algorithm(what, c);
    try {
      if (c.form == CallForm::persistent)
        create_request(what, c);
      else
        (this->*find_call(what.call, c.form))(c);
    } catch (const Error& e) {
      if (!c.algorithm.empty())
        throw Unsupported(
            fmt::format("{} refuses {} for {}: {}", algorithms_->library(), c.algorithm, what.name, e.what()));
      if (c.form == CallForm::persistent) throw Unsupported(e.what());
      throw;
    }
  }
  void create_request(const Collective& what, const Call& c) override {
    if (c.form != CallForm::persistent) return;
    started_.free();
    const Creator& creator = *std::ranges::find(creators, what.call, &Creator::call);
    persistent_function_ = creator.functions;
    mpi_check((this->*creator.create)(c), creator.functions);
  }

  void expose(Bytes send, Bytes recv) override { exposed_.emplace(owner_.handle(), send, recv); }
  void withdraw() override { exposed_.reset(); }

  [[nodiscard]] std::string reduction(DType type, Op op) const override { return MpiReductions::describe(type, op); }
  [[nodiscard]] std::string_view library() const override { return "MPI"; }
  [[nodiscard]] std::string_view library_call() const override { return function_; }

  [[nodiscard]] std::span<const Offer> offers() const override {
    static const std::array all{
        offer("allreduce", &MpiBackend::allreduce, &MpiBackend::iallreduce, &MpiBackend::persistent),
        offer("allgather", &MpiBackend::allgather, &MpiBackend::iallgather, &MpiBackend::persistent),
        offer("broadcast", &MpiBackend::broadcast, &MpiBackend::ibroadcast, &MpiBackend::persistent),
        offer("reduce_scatter", &MpiBackend::reduce_scatter, &MpiBackend::ireduce_scatter, &MpiBackend::persistent),
        offer("reduce_scatter_block", &MpiBackend::reduce_scatter_block, &MpiBackend::ireduce_scatter_block,
              &MpiBackend::persistent),
        offer("alltoall", &MpiBackend::alltoall, &MpiBackend::ialltoall, &MpiBackend::persistent),
        offer("reduce", &MpiBackend::reduce, &MpiBackend::ireduce, &MpiBackend::persistent),
        offer("gather", &MpiBackend::gather, &MpiBackend::igather, &MpiBackend::persistent),
        offer("scatter", &MpiBackend::scatter, &MpiBackend::iscatter, &MpiBackend::persistent),
        offer("incast", &MpiBackend::incast),
        offer("sendrecv", &MpiBackend::sendrecv),
        offer("barrier", &MpiBackend::barrier, &MpiBackend::ibarrier, &MpiBackend::persistent),
        offer("allgatherv", &MpiBackend::allgatherv),
        offer("alltoallv", &MpiBackend::alltoallv),
        offer("reduce_scatterv", &MpiBackend::reduce_scatterv),
        offer("gatherv", &MpiBackend::gatherv),
        offer("scatterv", &MpiBackend::scatterv),
        offer("pingpong", &MpiBackend::pingpong),
        offer("unidirectional", &MpiBackend::unidirectional),
        offer("bidirectional", &MpiBackend::bidirectional),
        offer("put", &MpiBackend::put),
        offer("get", &MpiBackend::get),
        offer("accumulate", &MpiBackend::accumulate),
    };
    return all;
  }

 private:
  void allreduce(const Call& c) {
    time_call("MPI_Allreduce", c,
              [&] { return averaged(MPI_Allreduce(input(c), c.recv.data(), count_, type_, op_, comm_), c); });
  }
  void allgather(const Call& c) {
    time_call("MPI_Allgather", c,
              [&] { return MPI_Allgather(input(c), count_, type_, c.recv.data(), count_, type_, comm_); });
  }
  void broadcast(const Call& c) {
    time_call("MPI_Bcast", c, [&] { return MPI_Bcast(c.recv.data(), count_, type_, c.root, comm_); });
  }
  void reduce_scatter(const Call& c) {
    time_call("MPI_Reduce_scatter", c, [&] {
      return averaged(MPI_Reduce_scatter(input(c), c.recv.data(), counts_.data(), type_, op_, comm_), c);
    });
  }
  void reduce_scatter_block(const Call& c) {
    time_call("MPI_Reduce_scatter_block", c, [&] {
      return averaged(MPI_Reduce_scatter_block(input(c), c.recv.data(), count_, type_, op_, comm_), c);
    });
  }
  void alltoall(const Call& c) {
    time_call("MPI_Alltoall", c,
              [&] { return MPI_Alltoall(input(c), count_, type_, c.recv.data(), count_, type_, comm_); });
  }
  void reduce(const Call& c) {
    time_call("MPI_Reduce", c, [&] {
      return averaged(MPI_Reduce(reduce_input(c), c.recv.data(), count_, type_, op_, c.root, comm_), c);
    });
  }
  void gather(const Call& c) {
    time_call("MPI_Gather", c,
              [&] { return MPI_Gather(reduce_input(c), count_, type_, c.recv.data(), count_, type_, c.root, comm_); });
  }
  void scatter(const Call& c) {
    time_call("MPI_Scatter", c, [&] {
      return MPI_Scatter(c.send.data(), count_, type_, scatter_result(c), count_, type_, c.root, comm_);
    });
  }
  void incast(const Call& c) {
    time_call("MPI_Isend, MPI_Irecv", c, [&] { return to_root(c); });
  }
  void sendrecv(const Call& c) {
    if (c.in_place) return sendrecv_replace(c);
    time_call("MPI_Sendrecv", c, [&] {
      return MPI_Sendrecv(c.send.data(), count_, type_, c.to, 0, c.recv.data(), count_, type_, c.from, 0, comm_,
                          MPI_STATUS_IGNORE);
    });
  }
  void sendrecv_replace(const Call& c) {
    time_call("MPI_Sendrecv_replace", c, [&] {
      return MPI_Sendrecv_replace(c.recv.data(), count_, type_, c.to, 0, c.from, 0, comm_, MPI_STATUS_IGNORE);
    });
  }
  void barrier(const Call& c) {
    time_call("MPI_Barrier", c, [&] { return MPI_Barrier(comm_); });
  }

  void allgatherv(const Call& c) {
    time_call("MPI_Allgatherv", c, [&] {
      return MPI_Allgatherv(input(c), own(c), type_, c.recv.data(), sent_.counts.data(), sent_.at.data(), type_, comm_);
    });
  }
  void alltoallv(const Call& c) {
    time_call("MPI_Alltoallv", c, [&] {
      return MPI_Alltoallv(c.send.data(), sent_.counts.data(), sent_.at.data(), type_, c.recv.data(),
                           received_.counts.data(), received_.at.data(), type_, comm_);
    });
  }
  void reduce_scatterv(const Call& c) {
    time_call("MPI_Reduce_scatter", c, [&] {
      return averaged(MPI_Reduce_scatter(input(c), c.recv.data(), sent_.counts.data(), type_, op_, comm_), c);
    });
  }
  void gatherv(const Call& c) {
    const void* from = c.rank == c.root ? input(c) : c.send.data();
    time_call("MPI_Gatherv", c, [&] {
      return MPI_Gatherv(from, own(c), type_, c.recv.data(), sent_.counts.data(), sent_.at.data(), type_, c.root,
                         comm_);
    });
  }
  void scatterv(const Call& c) {
    void* to = c.in_place && c.rank == c.root ? MPI_IN_PLACE : c.recv.data();
    time_call("MPI_Scatterv", c, [&] {
      return MPI_Scatterv(c.send.data(), sent_.counts.data(), sent_.at.data(), type_, to, own(c), type_, c.root, comm_);
    });
  }

  // Between pairs. A rank that is its own peer takes no part.
  void pingpong(const Call& c) {
    time_call("MPI_Send, MPI_Recv", c, [&]() -> int {
      if (c.rank == c.to) return MPI_SUCCESS;
      const int code = c.rank < c.to ? send(c) : receive(c);
      if (code != MPI_SUCCESS) return code;
      return c.rank < c.to ? receive(c) : send(c);
    });
  }
  void unidirectional(const Call& c) {
    time_call("MPI_Isend, MPI_Irecv, MPI_Waitall", c, [&]() -> int {
      if (c.rank == c.to) return MPI_SUCCESS;
      return c.rank < c.to ? send_window(c) : receive_window(c);
    });
  }
  void bidirectional(const Call& c) {
    time_call("MPI_Isend, MPI_Irecv, MPI_Waitall", c, [&]() -> int {
      if (c.rank == c.to) return MPI_SUCCESS;
      MPI_Request* next = requests_.data();
      int code = post_receives(c, next);
      if (code == MPI_SUCCESS) code = post_sends(c, next);
      return code == MPI_SUCCESS ? wait_for_all(next) : code;
    });
  }
  void put(const Call& c) {
    time_access("MPI_Put, MPI_Win_flush", c, exposed_->recv(), [&](std::size_t at) {
      return MPI_Put(c.send.data() + at, count_, type_, c.to, displacement(at), count_, type_, exposed_->recv());
    });
  }
  void get(const Call& c) {
    time_access("MPI_Get, MPI_Win_flush", c, exposed_->send(), [&](std::size_t at) {
      return MPI_Get(c.recv.data() + at, count_, type_, c.to, displacement(at), count_, type_, exposed_->send());
    });
  }
  void accumulate(const Call& c) {
    time_access("MPI_Accumulate, MPI_Win_flush", c, exposed_->recv(), [&](std::size_t at) {
      return MPI_Accumulate(c.send.data() + at, count_, type_, c.to, displacement(at), count_, type_, op_,
                            exposed_->recv());
    });
  }

  int send(const Call& c) { return MPI_Send(c.send.data(), count_, type_, c.to, 0, comm_); }
  int receive(const Call& c) { return MPI_Recv(c.recv.data(), count_, type_, c.to, 0, comm_, MPI_STATUS_IGNORE); }

  int post_sends(const Call& c, MPI_Request*& next) {
    int code = MPI_SUCCESS;
    const std::byte* from = c.send.data();
    for (int i = 0; i < c.window && code == MPI_SUCCESS; ++i, from += bytes_)
      code = MPI_Isend(from, count_, type_, c.to, 0, comm_, next++);
    return code;
  }
  int post_receives(const Call& c, MPI_Request*& next) {
    int code = MPI_SUCCESS;
    std::byte* to = c.recv.data();
    for (int i = 0; i < c.window && code == MPI_SUCCESS; ++i, to += bytes_)
      code = MPI_Irecv(to, count_, type_, c.to, 0, comm_, next++);
    return code;
  }
  int wait_for_all(const MPI_Request* end) {
    return MPI_Waitall(static_cast<int>(end - requests_.data()), requests_.data(), MPI_STATUSES_IGNORE);
  }
  /// The receiver acknowledges a window by one byte: the sender's time ends when all messages have arrived.
  int send_window(const Call& c) {
    MPI_Request* next = requests_.data();
    int code = post_sends(c, next);
    if (code == MPI_SUCCESS) code = wait_for_all(next);
    return code == MPI_SUCCESS ? MPI_Recv(&byte_, 1, MPI_BYTE, c.to, acknowledgement, comm_, MPI_STATUS_IGNORE) : code;
  }
  int receive_window(const Call& c) {
    MPI_Request* next = requests_.data();
    int code = post_receives(c, next);
    if (code == MPI_SUCCESS) code = wait_for_all(next);
    return code == MPI_SUCCESS ? MPI_Send(&byte_, 1, MPI_BYTE, c.to, acknowledgement, comm_) : code;
  }

  static MPI_Aint displacement(std::size_t at) { return static_cast<MPI_Aint>(at); }

  /// Times the accesses of the first of a pair, each made by `access` at a position in bytes, and their flush. Its peer
  /// spends no time in the call; both then exchange an untimed message, after which the data can be read.
  template <class Access>
  void time_access(const char* name, const Call& c, MPI_Win window, Access access) {
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

  static void require_one_sided(const Collective& what, const Call& c) {
    if (here::simulation() != nullptr) throw Unsupported("one-sided calls are not simulated");
    if (!what.reduces) return;
    if (c.op == Op::avg || MpiReductions::registered(c.type))
      throw Unsupported(fmt::format("MPI_Accumulate has no {} of {}: it takes no operations that programs register",
                                    name(c.op), name(c.type)));
  }

  void iallreduce(const Call& c) {
    time_split("MPI_Iallreduce", c, [&](MPI_Request* request) {
      return MPI_Iallreduce(input(c), c.recv.data(), count_, type_, op_, comm_, request);
    });
  }
  void iallgather(const Call& c) {
    time_split("MPI_Iallgather", c, [&](MPI_Request* request) {
      return MPI_Iallgather(input(c), count_, type_, c.recv.data(), count_, type_, comm_, request);
    });
  }
  void ibroadcast(const Call& c) {
    time_split("MPI_Ibcast", c,
               [&](MPI_Request* request) { return MPI_Ibcast(c.recv.data(), count_, type_, c.root, comm_, request); });
  }
  void ireduce_scatter(const Call& c) {
    time_split("MPI_Ireduce_scatter", c, [&](MPI_Request* request) {
      return MPI_Ireduce_scatter(input(c), c.recv.data(), counts_.data(), type_, op_, comm_, request);
    });
  }
  void ireduce_scatter_block(const Call& c) {
    time_split("MPI_Ireduce_scatter_block", c, [&](MPI_Request* request) {
      return MPI_Ireduce_scatter_block(input(c), c.recv.data(), count_, type_, op_, comm_, request);
    });
  }
  void ialltoall(const Call& c) {
    time_split("MPI_Ialltoall", c, [&](MPI_Request* request) {
      return MPI_Ialltoall(input(c), count_, type_, c.recv.data(), count_, type_, comm_, request);
    });
  }
  void ireduce(const Call& c) {
    time_split("MPI_Ireduce", c, [&](MPI_Request* request) {
      return MPI_Ireduce(reduce_input(c), c.recv.data(), count_, type_, op_, c.root, comm_, request);
    });
  }
  void igather(const Call& c) {
    time_split("MPI_Igather", c, [&](MPI_Request* request) {
      return MPI_Igather(reduce_input(c), count_, type_, c.recv.data(), count_, type_, c.root, comm_, request);
    });
  }
  void iscatter(const Call& c) {
    time_split("MPI_Iscatter", c, [&](MPI_Request* request) {
      return MPI_Iscatter(c.send.data(), count_, type_, scatter_result(c), count_, type_, c.root, comm_, request);
    });
  }
  void ibarrier(const Call& c) {
    time_split("MPI_Ibarrier", c, [&](MPI_Request* request) { return MPI_Ibarrier(comm_, request); });
  }
  void persistent(const Call& c) {
    time_split(persistent_function_, c, [](MPI_Request* request) { return MPI_Start(request); });
  }

  // Persistent requests of the prepared call. Collective.
  int create_allreduce(const Call& c) {
    return persistent_collectives()->allreduce(input(c), c.recv.data(), count_, type_, op_, comm_, MPI_INFO_NULL,
                                               started_.request());
  }
  int create_allgather(const Call& c) {
    return persistent_collectives()->allgather(input(c), count_, type_, c.recv.data(), count_, type_, comm_,
                                               MPI_INFO_NULL, started_.request());
  }
  int create_broadcast(const Call& c) {
    return persistent_collectives()->broadcast(c.recv.data(), count_, type_, c.root, comm_, MPI_INFO_NULL,
                                               started_.request());
  }
  int create_reduce_scatter(const Call& c) {
    return persistent_collectives()->reduce_scatter(input(c), c.recv.data(), counts_.data(), type_, op_, comm_,
                                                    MPI_INFO_NULL, started_.request());
  }
  int create_reduce_scatter_block(const Call& c) {
    return persistent_collectives()->reduce_scatter_block(input(c), c.recv.data(), count_, type_, op_, comm_,
                                                          MPI_INFO_NULL, started_.request());
  }
  int create_alltoall(const Call& c) {
    return persistent_collectives()->alltoall(input(c), count_, type_, c.recv.data(), count_, type_, comm_,
                                              MPI_INFO_NULL, started_.request());
  }
  int create_reduce(const Call& c) {
    return persistent_collectives()->reduce(reduce_input(c), c.recv.data(), count_, type_, op_, c.root, comm_,
                                            MPI_INFO_NULL, started_.request());
  }
  int create_gather(const Call& c) {
    return persistent_collectives()->gather(reduce_input(c), count_, type_, c.recv.data(), count_, type_, c.root, comm_,
                                            MPI_INFO_NULL, started_.request());
  }
  int create_scatter(const Call& c) {
    return persistent_collectives()->scatter(c.send.data(), count_, type_, scatter_result(c), count_, type_, c.root,
                                             comm_, MPI_INFO_NULL, started_.request());
  }
  int create_barrier(const Call& /*c*/) {
    return persistent_collectives()->barrier(comm_, MPI_INFO_NULL, started_.request());
  }
  struct Creator {
    std::string_view call;
    const char* functions;
    int (MpiBackend::*create)(const Call&);
  };
  static const std::array<Creator, 10> creators;

  /// Times `start`, the work beside the call if there is any, and the wait.
  template <class Start>
  void time_split(const char* name, const Call& c, Start start) {
    time_call(name, c, [&] {
      if (const int code = start(started_.request()); code != MPI_SUCCESS) return code;
      if (c.beside != nullptr) c.beside->work_beside(started_);
      return averaged(MPI_Wait(started_.request(), MPI_STATUS_IGNORE), c);
    });
  }

  /// Times `once`, which calls the function `name` of MPI. Throws Error with MPI's text on failure.
  template <class Once>
  void time_call(const char* name, const Call& c, Once once) {
    function_ = name;
    mpi_check(timed(c, once), name);
  }

  /// Starts all messages before it waits for any.
  int to_root(const Call& c) {
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

  /// Sizes of blocks and where they begin in a buffer, in elements.
  struct Blocks {
    std::vector<int> counts, at;
    void add(std::size_t count, std::size_t begin) {
      counts.push_back(static_cast<int>(count));
      at.push_back(static_cast<int>(begin));
    }
  };
  /// The block of each rank, as this rank divides its elements.
  static Blocks sent_blocks(const Call& c) {
    Blocks blocks;
    for (int r = 0; r < c.ranks; ++r)
      blocks.add(c.shares->count(c.rank, r, c.count), c.shares->start(c.rank, r, c.count));
    return blocks;
  }
  /// The blocks that each rank has for this one. Throws Unsupported if they are too large together.
  static Blocks received_blocks(const Call& c) {
    Blocks blocks;
    std::size_t at = 0;
    for (int r = 0; r < c.ranks; ++r) {
      const std::size_t count = c.shares->count(r, c.rank, c.count);
      blocks.add(count, at);
      at += count;
      if (at > INT_MAX)
        throw Unsupported(fmt::format("a rank receives more elements than the int that MPI 3 places blocks with"));
    }
    return blocks;
  }
  [[nodiscard]] int own(const Call& c) const { return sent_.counts[static_cast<std::size_t>(c.rank)]; }

  [[nodiscard]] bool has(std::string_view call, std::string_view algorithm) const {
    const std::string_view wanted = algorithm.substr(0, algorithm.find('/'));
    const auto names = algorithms_->names(call);
    return std::ranges::find(names, wanted) != names.end();
  }

  /// Makes the communicator for a requested algorithm. Collective.
  void add_communicator(const Collective& what, const Call& c) {
    auto& known = communicators_[{std::string(what.call), std::string(c.algorithm)}];
    if (!known) known.emplace(algorithms_->communicator(owner_, what.call, std::string(c.algorithm)));
    known->set_name(name_of_data_plane);
  }

  /// The communicator for a call, once try_out() has made it, and settings of the library.
  void choose_algorithm(const Collective& what, const Call& c) {
    comm_ = owner_.handle();
    if (!algorithms_) return;
    const std::string text(c.algorithm);
    if (!text.empty()) require_algorithm(what, text);
    algorithms_->select(what.call, text);
    const auto own = communicators_.find({std::string(what.call), text});
    if (own != communicators_.end() && own->second) comm_ = own->second->handle();
  }

  void require_algorithm(const Collective& what, const std::string& text) const {
    const auto names = algorithms_->names(what.call);
    if (names.empty())
      throw Unsupported(fmt::format("busbar requests no algorithms of {} for {}", algorithms_->library(), what.name));
    if (!has(what.call, text))
      throw Unsupported(fmt::format("{} has no {} for {}", algorithms_->library(), text, what.name));
  }

  /// The canonical texts for one collective, each once; removes the texts that it has from `unknown`.
  [[nodiscard]] std::vector<std::string> expand(const Collective& what, const std::vector<std::string>& requested,
                                                std::set<std::string>& unknown) const {
    std::vector<std::string> all;
    const auto add = [&all](std::string text) {
      if (std::ranges::find(all, text) == all.end()) all.push_back(std::move(text));
    };
    for (const std::string& text : requested) {
      if (text.empty() || text == "all" || has(what.call, text)) unknown.erase(text);
      if (text != "all") {
        add(algorithms_->canonical(text));
        continue;
      }
      add("");
      for (std::string& name : algorithms_->names(what.call)) add(std::move(name));
    }
    return all;
  }

  /// Throws UsageError for an algorithm that no requested collective has.
  [[noreturn]] void throw_unknown(std::span<const Collective* const> collectives, const std::string& text) const {
    std::string known;
    for (const Collective* c : collectives)
      if (const auto names = algorithms_->names(c->call); !names.empty())
        known += fmt::format("{}{}: {}", known.empty() ? "" : "; ", c->name, fmt::join(names, ", "));
    throw UsageError(fmt::format("--algorithm: unknown '{}'; {} has auto, all, and for {}", text,
                                 algorithms_->library(), known.empty() ? "these collectives none" : known));
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
  const std::unique_ptr<MpiAlgorithms> algorithms_;
  /// By Collective::call and algorithm; empty until the library accepted the request.
  std::map<std::pair<std::string, std::string>, std::optional<Communicator>> communicators_;
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
  const char* persistent_function_ = "";
  const char* function_ = "";  ///< MPI function of the last call
};

const std::array<MpiBackend::Creator, 10> MpiBackend::creators{{
    {"allreduce", "MPI_Allreduce_init, MPI_Start", &MpiBackend::create_allreduce},
    {"allgather", "MPI_Allgather_init, MPI_Start", &MpiBackend::create_allgather},
    {"broadcast", "MPI_Bcast_init, MPI_Start", &MpiBackend::create_broadcast},
    {"reduce_scatter", "MPI_Reduce_scatter_init, MPI_Start", &MpiBackend::create_reduce_scatter},
    {"reduce_scatter_block", "MPI_Reduce_scatter_block_init, MPI_Start", &MpiBackend::create_reduce_scatter_block},
    {"alltoall", "MPI_Alltoall_init, MPI_Start", &MpiBackend::create_alltoall},
    {"reduce", "MPI_Reduce_init, MPI_Start", &MpiBackend::create_reduce},
    {"gather", "MPI_Gather_init, MPI_Start", &MpiBackend::create_gather},
    {"scatter", "MPI_Scatter_init, MPI_Start", &MpiBackend::create_scatter},
    {"barrier", "MPI_Barrier_init, MPI_Start", &MpiBackend::create_barrier},
}};

/// Throws UsageError for options that MPI does not support.
void require_host_options(const BackendOptions& o) {
  if (o.graph_calls > 0) throw UsageError("--graph: MPI's calls cannot be part of a CUDA graph");
  if (o.nonblocking) throw UsageError("--nonblocking: MPI's calls are measured that return when they are complete");
  if (o.comm_split) throw UsageError("--comm-split: MPI's communicators of groups are split already");
  if (o.registered) throw UsageError("--register: MPI registers buffers by itself");
}

std::unique_ptr<Backend> make(Group& group, const BackendOptions& o) {
  require_host_options(o);
  auto algorithms = o.algorithms.empty() ? nullptr : MpiAlgorithms::make();
  if (o.memory.value_or("host") == "host")
    return std::make_unique<MpiBackend>(group, here::memory(o.with_data), BackendFacts{}, std::move(algorithms),
                                        o.with_data);
  if (const auto why = not_cuda_aware()) throw UsageError(fmt::format("--memory device: {}", *why));
  const Module module = Module::open("cuda");
  const auto& maker = module.symbol<DeviceMemoryMaker>("busbar_device_memory");
  DeviceMemory device = maker.make(group, o.share_gpu, o.place);
  return std::make_unique<MpiBackend>(group, std::move(device.memory), std::move(device.facts), std::move(algorithms));
}

}  // namespace

extern const BackendFactory mpi{
    .name = "mpi", .about = "MPI's collectives, on host memory or, where MPI is CUDA-aware, a GPU's", .make = make};

}  // namespace busbar
