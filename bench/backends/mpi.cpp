// SPDX-License-Identifier: Apache-2.0
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
#include "core/mpi/group.hpp"
#include "core/mpi/reductions.hpp"
#include "core/ranks/here.hpp"

namespace busbar {
namespace {

constexpr const char* name_of_data_plane = "busbar data";

/// MPI's collectives over communicators of its own, on the given memory: one for the library's own choice, and one for
/// each algorithm of a collective.
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
    if (what.reduces && op_ == MPI_OP_NULL)
      throw Unsupported(fmt::format("MPI has no {} of {}", name(c.op), name(c.type)));
    if (what.reduces && memory().kind() == "device" && MpiReductions::registered(c.type))
      throw Unsupported(
          fmt::format("MPI has no {} of {}, and busbar's own works on host memory", name(c.op), name(c.type)));
    count_ = static_cast<int>(c.count);
    counts_.assign(static_cast<std::size_t>(c.ranks), count_);
    if (c.shares != nullptr) {
      sent_ = sent_blocks(c);
      received_ = received_blocks(c);
    }
    average_ = what.reduces && c.op == Op::avg;
    requests_.resize(static_cast<std::size_t>(c.ranks) + 1);
    choose_algorithm(what, c);
  }

  /// Sets up the communicator of an algorithm and makes the call once, because libraries refuse some algorithms only
  /// then: two_proc for 4 ranks.
  void try_out(const Collective& what, const Call& c) override {
    auto& known = communicators_[{std::string(what.call), std::string(c.algorithm)}];
    if (!known) known.emplace(algorithms_->communicator(owner_, what.call, std::string(c.algorithm)));
    known->set_name(name_of_data_plane);
    choose_algorithm(what, c);
    try {
      (this->*find_call(what.call))(c);
    } catch (const Error& e) {
      throw Unsupported(
          fmt::format("{} refuses {} for {}: {}", algorithms_->library(), c.algorithm, what.name, e.what()));
    }
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

  [[nodiscard]] std::string reduction(DType type, Op op) const override { return MpiReductions::describe(type, op); }
  [[nodiscard]] std::string_view library() const override { return "MPI"; }
  [[nodiscard]] std::string_view library_call() const override { return function_; }

  [[nodiscard]] std::span<const Offer> offers() const override {
    static const std::array all{
        offer("allreduce", &MpiBackend::allreduce),
        offer("allgather", &MpiBackend::allgather),
        offer("broadcast", &MpiBackend::broadcast),
        offer("reduce_scatter", &MpiBackend::reduce_scatter),
        offer("reduce_scatter_block", &MpiBackend::reduce_scatter_block),
        offer("alltoall", &MpiBackend::alltoall),
        offer("reduce", &MpiBackend::reduce),
        offer("gather", &MpiBackend::gather),
        offer("scatter", &MpiBackend::scatter),
        offer("incast", &MpiBackend::incast),
        offer("sendrecv", &MpiBackend::sendrecv),
        offer("barrier", &MpiBackend::barrier),
        offer("allgatherv", &MpiBackend::allgatherv),
        offer("alltoallv", &MpiBackend::alltoallv),
        offer("reduce_scatterv", &MpiBackend::reduce_scatterv),
        offer("gatherv", &MpiBackend::gatherv),
        offer("scatterv", &MpiBackend::scatterv),
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
    const void* from = c.rank == c.root ? input(c) : c.send.data();
    time_call("MPI_Reduce", c,
              [&] { return averaged(MPI_Reduce(from, c.recv.data(), count_, type_, op_, c.root, comm_), c); });
  }
  void gather(const Call& c) {
    const void* from = c.rank == c.root ? input(c) : c.send.data();
    time_call("MPI_Gather", c,
              [&] { return MPI_Gather(from, count_, type_, c.recv.data(), count_, type_, c.root, comm_); });
  }
  void scatter(const Call& c) {
    void* to = c.in_place && c.rank == c.root ? MPI_IN_PLACE : c.recv.data();
    time_call("MPI_Scatter", c,
              [&] { return MPI_Scatter(c.send.data(), count_, type_, to, count_, type_, c.root, comm_); });
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

  /// MPI has no average: divides this rank's sum by the number of ranks. Returns `code`.
  int averaged(int code, const Call& c) {
    if (average_) memory().divide(c.recv, c.type, c.ranks);
    return code;
  }

  BackendFacts facts_;
  const Communicator owner_;
  const std::unique_ptr<MpiAlgorithms> algorithms_;
  /// By Collective::call and algorithm; empty until the library accepted the request.
  std::map<std::pair<std::string, std::string>, std::optional<Communicator>> communicators_;
  MpiReductions reductions_;
  // State of the prepared call, so that the timed part is MPI's call alone.
  MPI_Comm comm_ = owner_.handle();
  int count_ = 0;
  std::vector<int> counts_;  ///< the same for each rank
  Blocks sent_, received_;   ///< of an uneven collective
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  MPI_Op op_ = MPI_OP_NULL;
  bool average_ = false;
  std::vector<MPI_Request> requests_;  ///< room for all messages of an incast
  const char* function_ = "";          ///< MPI function of the last call
};

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
