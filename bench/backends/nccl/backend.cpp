// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include <fmt/core.h>

#include "bench/backends/nccl/algorithms.hpp"
#include "bench/backends/nccl/joint_launch.hpp"
#include "bench/backends/nccl/memory.hpp"
#include "core/backend/collective.hpp"
#include "core/cuda/busy_kernel.hpp"
#include "core/cuda/gate.hpp"
#include "core/cuda/memory.hpp"
#include "core/machine/local_clock.hpp"
#include "core/nccl/choice.hpp"
#include "core/nccl/communicator.hpp"
#include "core/nccl/newer.hpp"

namespace busbar {
namespace {

using cuda::Event;
using Peer = int;

/// Sets a flag for its own lifetime, also if an exception is thrown.
class Raised {
 public:
  explicit Raised(bool& flag) : flag_(flag) { flag_ = true; }
  ~Raised() { flag_ = false; }
  Raised(const Raised&) = delete;
  Raised& operator=(const Raised&) = delete;

 private:
  bool& flag_;
};

/// A call that runs on a stream.
class NcclStarted final : public Started {
 public:
  explicit NcclStarted(const cuda::Stream& stream) : stream_(stream) {}
  bool test() override { return stream_.passed(); }

 private:
  const cuda::Stream& stream_;
};

/// NCCL's collectives on the memory of one GPU, enqueued on one stream. The host times from the call until it sees the
/// completion. Behind the gate, CUDA events around the call time the device's work alone. Without the gate, the first
/// event would complete at once, and the launch would count as well.
class NcclBackend final : public Backend {
 public:
  /// `note`: why NCCL cannot report its choices, if so.
  NcclBackend(Group& group, const cuda::Device& device, const BackendOptions& options, std::optional<std::string> note)
      : device_(device),
        options_(options),
        note_(std::move(note)),
        communicators_(group, options.algorithms, {.timeout_s = options.timeout_s, .blocking = !options.nonblocking}),
        memory_(make_memory()),
        thread_(rank_in_process(group)) {
    ThreadRanks* const threads = group.threads();
    if (threads != nullptr && options.launch == GpuLaunch::group)
      joint_ = threads->share<JointLaunch>(thread_, [&] { return std::make_shared<JointLaunch>(threads->size()); });
  }
  /// For a subset of the ranks.
  NcclBackend(NcclBackend& parent, Group* members, int colour)
      : device_(parent.device_),
        options_(parent.options_),
        communicators_(parent.communicators_, members, colour),
        memory_(make_memory()) {}

  [[nodiscard]] std::unique_ptr<Backend> split(Group* members, int colour) override {
    auto part = std::make_unique<NcclBackend>(*this, members, colour);
    return members == nullptr ? nullptr : std::move(part);
  }

  [[nodiscard]] MemorySpace& memory() override { return *memory_; }
  [[nodiscard]] bool reduces_to_own_block() const override { return true; }

  [[nodiscard]] BackendFacts facts() const override {
    BackendFacts facts = cuda::facts_of(device_);
    facts.device_clock = gate_.has_value();
    if (!gate_) facts.notes.emplace_back("no times by CUDA events: the CUDA driver cannot hold a stream");
    if (note_) facts.notes.push_back(*note_);
    facts.libraries["nccl"] = to_string(nccl_version());
    return facts;
  }

  void prepare(const Collective& what, const Call& c) override {
    require_possible(what, c);
    auto& member = communicators_.of(c.algorithm);
    current_ = &member.comm;
    comm_ = current_->handle();
    type_ = nccl_type(c.type);
    by_groups_ = member.words.grouped() || newer_.alltoall == nullptr;
    op_ = what.reduces ? member.reductions.op(comm_, c.type, c.op) : ncclSum;
    jointly_ = joint_ && !what.between_pairs();  // a group would start all messages of a ping-pong at once
    graph_.reset();
    if (options_.graph_calls > 0 && c.repeat > 1) warm_graph(c, graph_.emplace(captured(what, c)));
  }

  void try_out(const Collective& what, const Call& c) override {
    auto& member = communicators_.of(c.algorithm);
    if (!member.refusal.empty()) throw Unsupported(member.refusal);
    if (member.words.symmetric() && nccl_memory_->register_windows(member.comm) != ncclSuccess)
      refuse(member, fmt::format("NCCL registers no symmetric windows here ({})", ncclGetLastError(comm_)));
    const Raised raised(trying_);
    refused_.reset();
    (this->*find_call(what.call))(c);
    if (!refused_) return current_->await(stream_, what_);
    refuse(member, fmt::format("NCCL has no {} for {} here ({})", c.algorithm, what.name, *refused_));
  }

  [[nodiscard]] std::string reduction(DType /*type*/, Op op) const override { return NcclReductions::describe(op); }

  [[nodiscard]] std::span<const Offer> offers() const override {
    // A call returns when it is enqueued, so its non-blocking form is the plain one.
    const auto both = [](std::string_view name, void (NcclBackend::*make)(const Call&)) {
      return offer(name, make, make);
    };
    static const std::array all{
        both("allreduce", &NcclBackend::allreduce),
        both("allgather", &NcclBackend::allgather),
        both("broadcast", &NcclBackend::broadcast),
        both("reduce_scatter", &NcclBackend::reduce_scatter),
        both("alltoall", &NcclBackend::alltoall),
        both("reduce", &NcclBackend::reduce),
        both("gather", &NcclBackend::gather),
        both("scatter", &NcclBackend::scatter),
        both("incast", &NcclBackend::incast),
        both("sendrecv", &NcclBackend::sendrecv),
        both("allgatherv", &NcclBackend::allgatherv),
        both("alltoallv", &NcclBackend::alltoallv),
        both("reduce_scatterv", &NcclBackend::reduce_scatterv),
        both("gatherv", &NcclBackend::gatherv),
        both("scatterv", &NcclBackend::scatterv),
        offer("pingpong", &NcclBackend::pingpong),
        offer("unidirectional", &NcclBackend::unidirectional),
        offer("bidirectional", &NcclBackend::bidirectional),
    };
    return all;
  }

  [[nodiscard]] std::unique_ptr<Work> work() override {
    return options_.split_calls ? std::make_unique<cuda::BusyKernel>(options_.work_sms) : nullptr;
  }

  [[nodiscard]] Stretch complete() override {
    current_->await(stream_, what_);
    end_ns_ = steady_ns();
    gated_ = false;
    return {.begin_ns = begin_ns_, .end_ns = end_ns_};
  }
  void close_gate() override {
    gated_ = true;
    gate_->close(stream_);
  }
  void open_gate() override {
    begin_ns_ = steady_ns();
    gate_->open();
  }
  [[nodiscard]] GatedTimes gated_times() override {
    const double device_s = cuda::seconds_between(begin_, end_);
    const Stretch since_opened{.begin_ns = begin_ns_, .end_ns = end_ns_};
    return {.launch_s = launch_.seconds(), .device_s = device_s, .notice_s = since_opened.seconds() - device_s};
  }
  [[nodiscard]] std::string_view library() const override { return "NCCL"; }
  [[nodiscard]] std::string_view library_call() const override { return what_; }
  /// NCCL reports to the process, so its first thread alone listens.
  void listen() override {
    if (thread_ == 0) nccl_choice::arm();
  }
  [[nodiscard]] std::optional<LibraryChoice> choice() override {
    const auto told = thread_ == 0 ? nccl_choice::take_choice() : std::nullopt;
    if (!told) return std::nullopt;
    return LibraryChoice{.algorithm = told->algorithm, .protocol = told->protocol, .channels = told->channels};
  }

 private:
  void allreduce(const Call& c) {
    timed(c, "ncclAllReduce",
          [&] { return ncclAllReduce(from(c), c.recv.data(), c.count, type_, op_, comm_, stream_.handle()); });
  }
  void allgather(const Call& c) {
    timed(c, "ncclAllGather",
          [&] { return ncclAllGather(from(c), c.recv.data(), c.count, type_, comm_, stream_.handle()); });
  }
  void broadcast(const Call& c) {
    timed(c, "ncclBroadcast", [&] {
      return ncclBroadcast(c.rank == c.root ? from(c) : c.recv.data(), c.recv.data(), c.count, type_, c.root, comm_,
                           stream_.handle());
    });
  }
  void reduce_scatter(const Call& c) {
    timed(c, "ncclReduceScatter",
          [&] { return ncclReduceScatter(from(c), c.recv.data(), c.count, type_, op_, comm_, stream_.handle()); });
  }
  void reduce(const Call& c) {
    timed(c, "ncclReduce",
          [&] { return ncclReduce(from(c), c.recv.data(), c.count, type_, op_, c.root, comm_, stream_.handle()); });
  }

  // NCCL has these calls since 2.28. Before, and for `grouped`, groups of sends and receives replace them (NCCL
  // documentation, "Point-to-point communication").
  void alltoall(const Call& c) {
    if (!by_groups_)
      return timed(c, "ncclAlltoAll", [&] {
        return newer_.alltoall(c.send.data(), c.recv.data(), c.count, type_, comm_, stream_.handle());
      });
    timed_group(c, [&] {
      for (Peer peer = 0; peer < c.ranks; ++peer) {
        note(ncclSend(block(c.send, peer, c), c.count, type_, peer, comm_, stream_.handle()));
        note(ncclRecv(block(c.recv, peer, c), c.count, type_, peer, comm_, stream_.handle()));
      }
    });
  }
  void gather(const Call& c) {
    if (by_groups_) return to_root(c);
    timed(c, "ncclGather",
          [&] { return newer_.gather(c.send.data(), c.recv.data(), c.count, type_, c.root, comm_, stream_.handle()); });
  }
  void incast(const Call& c) { to_root(c); }
  void scatter(const Call& c) {
    if (!by_groups_)
      return timed(c, "ncclScatter", [&] {
        return newer_.scatter(c.send.data(), c.recv.data(), c.count, type_, c.root, comm_, stream_.handle());
      });
    timed_group(c, [&] {
      const bool own = c.rank == c.root;
      for (Peer peer = 0; own && peer < c.ranks; ++peer)
        if (peer != c.root || !c.in_place)
          note(ncclSend(block(c.send, peer, c), c.count, type_, peer, comm_, stream_.handle()));
      if (!own || !c.in_place) note(ncclRecv(c.recv.data(), c.count, type_, c.root, comm_, stream_.handle()));
    });
  }
  void sendrecv(const Call& c) {
    timed_group(c, [&] {
      note(ncclSend(c.send.data(), c.count, type_, c.to, comm_, stream_.handle()));
      note(ncclRecv(c.recv.data(), c.count, type_, c.from, comm_, stream_.handle()));
    });
  }

  // NCCL has no collectives with a count per rank: groups of sends and receives, or of reductions, replace them.
  void allgatherv(const Call& c) {
    timed_group(c, [&] {
      for (Peer peer = 0; peer < c.ranks; ++peer) {
        if (peer == c.rank && c.in_place) continue;
        send_part(c.send, 0, own(c), peer, c);
        receive_block(peer, c);
      }
    });
  }
  void alltoallv(const Call& c) {
    timed_group(c, [&] {
      std::size_t at = 0;
      for (Peer peer = 0; peer < c.ranks; ++peer) {
        const std::size_t count = c.shares->count(peer, c.rank, c.count);
        send_block(peer, c);
        receive_part(c.recv, at, count, peer, c);
        at += count;
      }
    });
  }
  void reduce_scatterv(const Call& c) {
    timed(c, "grouped ncclReduce", [&] {
      return grouped([&] {
        for (Peer peer = 0; peer < c.ranks; ++peer)
          if (const std::size_t count = c.shares->count(c.rank, peer, c.count); count > 0)
            note(ncclReduce(c.send.data() + c.shares->start(c.rank, peer, c.count) * size_of(c.type), c.recv.data(),
                            count, type_, op_, peer, comm_, stream_.handle()));
      });
    });
  }
  void gatherv(const Call& c) {
    timed_group(c, [&] {
      const bool root = c.rank == c.root;
      if (!root || !c.in_place) send_part(c.send, 0, own(c), c.root, c);
      for (Peer peer = 0; root && peer < c.ranks; ++peer)
        if (peer != c.root || !c.in_place) receive_block(peer, c);
    });
  }
  void scatterv(const Call& c) {
    timed_group(c, [&] {
      const bool root = c.rank == c.root;
      for (Peer peer = 0; root && peer < c.ranks; ++peer)
        if (peer != c.root || !c.in_place) send_block(peer, c);
      if (!root || !c.in_place) receive_part(c.recv, 0, own(c), c.root, c);
    });
  }

  static std::size_t own(const Call& c) { return c.shares->count(c.rank, c.rank, c.count); }
  /// Sends `count` elements from element `at` on; nothing if there are none.
  void send_part(ConstBytes buffer, std::size_t at, std::size_t count, Peer to, const Call& c) {
    if (count > 0) note(ncclSend(buffer.data() + at * size_of(c.type), count, type_, to, comm_, stream_.handle()));
  }
  void receive_part(Bytes buffer, std::size_t at, std::size_t count, Peer from, const Call& c) {
    if (count > 0) note(ncclRecv(buffer.data() + at * size_of(c.type), count, type_, from, comm_, stream_.handle()));
  }
  /// The block of `peer`, as this rank's counts divide a buffer.
  void send_block(Peer peer, const Call& c) {
    send_part(c.send, c.shares->start(c.rank, peer, c.count), c.shares->count(c.rank, peer, c.count), peer, c);
  }
  void receive_block(Peer peer, const Call& c) {
    receive_part(c.recv, c.shares->start(c.rank, peer, c.count), c.shares->count(c.rank, peer, c.count), peer, c);
  }

  // Between pairs. A rank that is its own peer takes no part.
  void pingpong(const Call& c) {
    timed(c, "ncclSend, ncclRecv", [&] {
      if (c.rank == c.to) return ncclSuccess;
      current_->await(c.rank < c.to ? send(c, 0) : receive(c, 0), what_);
      return c.rank < c.to ? receive(c, 0) : send(c, 0);
    });
  }
  /// The receiver acknowledges a window by one byte, which it sends once the messages have arrived.
  void unidirectional(const Call& c) {
    timed(c, grouped_calls, [&] {
      if (c.rank == c.to) return ncclSuccess;
      const bool sends = c.rank < c.to;
      current_->await(grouped([&] {
                        for (int i = 0; i < c.window; ++i) note(sends ? send(c, i) : receive(c, i));
                      }),
                      what_);
      return sends ? ncclRecv(byte_.data(), 1, ncclUint8, c.to, comm_, stream_.handle())
                   : ncclSend(byte_.data(), 1, ncclUint8, c.to, comm_, stream_.handle());
    });
  }
  void bidirectional(const Call& c) {
    timed(c, grouped_calls, [&] {
      if (c.rank == c.to) return ncclSuccess;
      return grouped([&] {
        for (int i = 0; i < c.window; ++i) {
          note(send(c, i));
          note(receive(c, i));
        }
      });
    });
  }
  ncclResult_t send(const Call& c, int message) {
    return ncclSend(block(c.send, message, c), c.count, type_, c.to, comm_, stream_.handle());
  }
  ncclResult_t receive(const Call& c, int message) {
    return ncclRecv(block(c.recv, message, c), c.count, type_, c.to, comm_, stream_.handle());
  }

  std::unique_ptr<cuda::GpuMemory> make_memory() {
    const bool windows = std::ranges::any_of(options_.algorithms, [](auto& a) { return NcclWords(a).symmetric(); });
    if (!windows && !options_.registered) return std::make_unique<cuda::GpuMemory>(device_);
    auto memory = std::make_unique<NcclMemory>(device_, communicators_, options_.registered, windows);
    nccl_memory_ = memory.get();
    return memory;
  }

  [[noreturn]] static void refuse(NcclCommunicators::Member& member, const std::string& why) {
    if (!member.comm.usable()) member.refusal = why;
    throw Unsupported(why);
  }

  void to_root(const Call& c) {
    timed_group(c, [&] {
      const bool own = c.rank == c.root;
      if (!own || !c.in_place) note(ncclSend(c.send.data(), c.count, type_, c.root, comm_, stream_.handle()));
      for (Peer peer = 0; own && peer < c.ranks; ++peer)
        if (peer != c.root || !c.in_place)
          note(ncclRecv(block(c.recv, peer, c), c.count, type_, peer, comm_, stream_.handle()));
    });
  }

  void require_possible(const Collective& what, const Call& c) const {
    require_algorithm(what.name, NcclWords(c.algorithm));
    if (c.in_place && what.moves_input && !what.reduces)
      throw Unsupported(fmt::format("NCCL has no {} in place", what.name));
    if (c.advance && *c.advance != Advance::library)
      throw Unsupported("the GPU advances NCCL's calls by itself: --overlap library");
    constexpr int hopper = 90;  // NCCL documentation, ncclDataType_t
    if (is_fp8(c.type) && device_.compute_capability < hopper)
      throw Unsupported(fmt::format("NCCL has {} from compute capability 9.0 on; this GPU has {}.{}", name(c.type),
                                    device_.compute_capability / 10, device_.compute_capability % 10));
  }

  /// In place, NCCL expects the input's address within the receive buffer.
  static const void* from(const Call& c) { return c.send.data(); }
  static const std::byte* block(ConstBytes of, Peer peer, const Call& c) { return of.data() + offset(peer, c); }
  static std::byte* block(Bytes of, Peer peer, const Call& c) { return of.data() + offset(peer, c); }
  static std::size_t offset(Peer peer, const Call& c) {
    return static_cast<std::size_t>(peer) * c.count * size_of(c.type);
  }

  /// Keeps the first error code of a group.
  void note(ncclResult_t code) {
    if (code != ncclSuccess && code != ncclInProgress && in_group_ == ncclSuccess) in_group_ = code;
  }
  template <class Calls>
  ncclResult_t grouped(Calls calls) {
    in_group_ = ncclSuccess;
    note(ncclGroupStart());
    calls();
    const ncclResult_t ended = ncclGroupEnd();
    return in_group_ == ncclSuccess ? ended : in_group_;
  }

  /// Times the sends and receives that `calls` makes, as one group.
  template <class Calls>
  void timed_group(const Call& c, Calls calls) {
    timed(c, grouped_calls, [&] { return grouped(calls); });
  }

  /// Nothing but the calls is between the two clock reads, or behind the gate between the two events.
  template <class Once>
  void timed(const Call& c, const char* what, Once once) {
    what_ = what;
    if (trying_) return try_once(once);
    if (capturing_) return repeat(c.repeat, once);
    if (gated_) begin_.record(stream_);
    begin_ns_ = begin_ns(c);
    if (graph_ && c.repeat > 1)
      graph_->launch(stream_);
    else if (jointly_)
      current_->await(joint_->launch(thread_, c.repeat, once), what_);
    else
      repeat(c.repeat, once);
    if (c.beside != nullptr) c.beside->work_beside(started_);
    if (!gated_) return;
    launch_ = {.begin_ns = begin_ns_, .end_ns = steady_ns()};
    end_.record(stream_);
  }
  template <class Once>
  void repeat(int times, Once once) {
    for (int i = 0; i < times; ++i) current_->await(once(), what_);
  }

  /// NCCL reports a missing algorithm or protocol as invalid usage (topoGetAlgoInfo in enqueue.cc, 2.28).
  template <class Once>
  void try_once(Once once) {
    const ncclResult_t code = current_->outcome(once(), what_);
    if (code == ncclInvalidUsage) {
      refused_ = ncclGetLastError(comm_);
      return;
    }
    current_->await(code, what_);
  }

  cuda::Graph captured(const Collective& what, const Call& c) {
    const Raised raised(capturing_);
    return cuda::capture(stream_, [&] { (this->*find_call(what.call))(c); });
  }

  /// Launches a graph once untimed: the first launch sets it up on the device.
  void warm_graph(const Call& c, const cuda::Graph& graph) {
    graph.upload(stream_);
    graph.launch(stream_);
    current_->await(stream_, fmt::format("first launch of a graph of {} calls", c.repeat));
  }

  static constexpr const char* grouped_calls = "grouped ncclSend and ncclRecv";  ///< library_call() of a group

  const cuda::Device device_;
  const BackendOptions options_;
  const NewerNccl newer_ = newer_nccl();
  const std::optional<std::string> note_;
  NcclCommunicators communicators_;
  NcclMemory* nccl_memory_ = nullptr;  ///< memory_, if NCCL allocates it; else null
  const std::unique_ptr<cuda::GpuMemory> memory_;
  cuda::Stream stream_;
  const cuda::DeviceArray<std::byte> byte_{1};  ///< acknowledgement
  std::optional<cuda::Gate> gate_ = cuda::make_gate();
  int thread_ = 0;                      ///< of this rank in its process
  std::shared_ptr<JointLaunch> joint_;  ///< null: each thread launches its own calls
  Event begin_{Event::Kind::timed}, end_{Event::Kind::timed};

  // State of the prepared call, so that the timed part is NCCL's call alone.
  NcclCommunicator* current_ = nullptr;
  ncclComm_t comm_ = nullptr;
  ncclDataType_t type_ = ncclInt8;
  ncclRedOp_t op_ = ncclSum;
  bool jointly_ = false;    ///< by joint_
  bool by_groups_ = false;  ///< alltoall, gather and scatter by sends and receives
  std::optional<cuda::Graph> graph_;

  bool capturing_ = false, trying_ = false;
  std::optional<std::string> refused_;  ///< NCCL's message, if it refused the call in try_out()
  ncclResult_t in_group_ = ncclSuccess;
  const char* what_ = "";
  NcclStarted started_{stream_};
  bool gated_ = false;
  std::int64_t begin_ns_ = 0, end_ns_ = 0;  ///< the call, or from the opening of the gate
  Stretch launch_;                          ///< host time of enqueueing a gated call
};

/// Throws UsageError for options that NCCL does not support.
std::unique_ptr<Backend> make(Group& group, const BackendOptions& options) {
  if (options.memory.value_or("device") != "device") throw UsageError("--memory host: NCCL works on device memory");
  const cuda::Device device = cuda::choose_device(group, options.share_gpu, options.place);
  if (device.shared) let_ranks_share_a_gpu(group.rank());
  static const auto note = nccl_choice::offer();  // once: it sets a variable of the process
  return std::make_unique<NcclBackend>(group, device, options, note);
}

}  // namespace
}  // namespace busbar

extern "C" {
[[gnu::visibility("default")]] extern const busbar::BackendFactory busbar_nccl_backend;
const busbar::BackendFactory busbar_nccl_backend{.name = "nccl", .about = "", .make = busbar::make};
}
