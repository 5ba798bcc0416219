// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/backend/backend_facts.hpp"
#include "core/backend/overlap.hpp"
#include "core/base/error.hpp"
#include "core/base/table.hpp"
#include "core/elements/memory_space.hpp"
#include "core/elements/redop.hpp"
#include "core/machine/local_clock.hpp"
#include "core/ranks/group.hpp"
#include "core/ranks/local_place.hpp"
#include "core/record/gated_times.hpp"
#include "core/record/library_choice.hpp"

namespace busbar {

class BlockShares;
struct Collective;

/// Begin and end of an operation on this rank, by its host's steady clock.
struct Stretch {
  std::int64_t begin_ns = 0, end_ns = 0;

  [[nodiscard]] double seconds() const { return static_cast<double>(end_ns - begin_ns) * 1e-9; }
};

/// One invocation of a collective, as one rank sees it.
struct Call {
  int rank = 0, ranks = 1, root = 0;
  int to = 0, from = 0;  ///< peers of sendrecv; between pairs both are the peer, or this rank if it takes no part
  DType type = DType::f32;
  Op op = Op::sum;
  /// Elements, like MPI's count argument: of the whole buffer, or of one rank's block; with `shares`, of all blocks.
  std::size_t count = 0;
  const BlockShares* shares = nullptr;  ///< how blocks differ in size; null: all alike
  bool in_place = false;                ///< send and recv are in one buffer, as MPI_IN_PLACE requires
  ConstBytes send;                      ///< input of this rank; empty if it contributes nothing
  Bytes recv;                           ///< result on this rank; empty if it gets none
  int window = 1;              ///< messages or accesses of `count` elements each; message i has block i of the buffers
  int repeat = 1;              ///< number of consecutive calls that are timed as one
  std::string_view algorithm;  ///< one of BackendOptions::algorithms; empty: the library chooses
  CallForm form = CallForm::plain;
  std::optional<Advance> advance;  ///< set if this rank works between start and wait of some calls
  Beside* beside = nullptr;        ///< that work; null: waits at once. Not for the plain form
  Group* start = nullptr;          ///< ranks whose barrier comes right before the call's begin; null: no barrier
};

/// Who launches the calls of a process that has several GPUs.
enum class GpuLaunch {
  group,    ///< one thread, as one group of calls (nccl-tests -g)
  threads,  ///< a thread per GPU (nccl-tests -t)
};

/// The user's options for a backend. A backend rejects those that it does not support.
struct BackendOptions {
  std::optional<std::string> memory;    ///< host, device; empty: the backend's default
  bool with_data = true;                ///< buffers contain real data; if false, a simulator may use sizes only
  int gpus_per_process = 1;             ///< more than one: each is a rank of its own, on a thread
  GpuLaunch launch = GpuLaunch::group;  ///< with several GPUs per process
  bool share_gpu = false;               ///< several ranks may share a GPU on purpose
  std::optional<LocalPlace> place;      ///< of this rank; empty if the backend spans all ranks of the job
  int graph_calls = 0;                  ///< number of calls per CUDA graph; 0: calls are enqueued individually
  bool registered = false;              ///< buffers are registered with the library
  bool nonblocking = false;             ///< calls may return before their work is enqueued on the stream
  bool comm_split = false;              ///< Backend::split() creates the backends of subsets of ranks
  bool split_calls = false;             ///< some calls are not of the plain form
  int work_sms = 0;                     ///< multiprocessors of a GPU that work beside calls takes; 0: all
  std::vector<std::string> algorithms;  ///< that calls will request: "ring/simple", "symmetric+zero"; "all": expanded
  double timeout_s = 0;                 ///< per call; 0: none
  std::filesystem::path plugin;         ///< file of the plug-in; empty: the backend is part of busbar
  /// Keys and values for a plug-in, in the order of the command line.
  std::vector<std::pair<std::string, std::string>> plugin_options;
};

/// Data plane: the code under measurement. A call may return before it is complete; complete() waits for it.
/// Calls are collective over the group that the backend was created with. They throw Error.
class Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  /// Memory of the buffers.
  [[nodiscard]] virtual MemorySpace& memory() = 0;
  [[nodiscard]] virtual BackendFacts facts() const { return {}; }
  /// Whose calls these are, for messages: "MPI", "NCCL".
  [[nodiscard]] virtual std::string_view library() const { return "the library"; }
  /// Where reduce_scatter in place puts the result: at this rank's block (NCCL, oneCCL, plug-ins), or at the start of
  /// the buffer (MPI_IN_PLACE).
  [[nodiscard]] virtual bool reduces_to_own_block() const { return false; }
  /// Creates a backend for a subset of the ranks, which shares this one's resources. Collective over all ranks of this
  /// backend; ranks outside any subset pass null `members` and get null. `members` are the ranks with the same
  /// `colour`, which must be >= 0. Throws Error.
  [[nodiscard]] virtual std::unique_ptr<Backend> split(Group* /*members*/, int /*colour*/) { return nullptr; }

  /// Prepares resources for a call. Throws Unsupported if this backend cannot make it. Never timed. Local if the call
  /// is not repeated, otherwise collective over the group.
  virtual void prepare(const Collective& what, const Call& call) = 0;
  /// The algorithms to measure for each collective, in canonical form, where BackendOptions::algorithms are requested:
  /// a backend that knows what its library has replaces "all". Throws UsageError, the same on every rank, for an
  /// algorithm that none of the collectives has.
  [[nodiscard]] virtual std::vector<std::vector<std::string>> expand_algorithms(
      std::span<const Collective* const> collectives, const std::vector<std::string>& requested) const {
    return std::vector<std::vector<std::string>>(collectives.size(), requested);
  }
  /// Makes a prepared call once, or creates its request, if only that shows whether the library supports it: an
  /// algorithm may not exist on this machine. Collective over the group. Throws Unsupported, the same on every rank.
  virtual void try_out(const Collective& /*what*/, const Call& /*call*/) {}
  /// Creates the request of a prepared call of the persistent form, for all calls until the next create_request() or
  /// the end of this backend. Collective over the group. Never timed.
  virtual void create_request(const Collective& /*what*/, const Call& /*call*/) {}
  /// Gives peers access to the buffers of one-sided calls, until withdraw(). All later one-sided calls use parts of
  /// these. Collective over the group. Throws Unsupported or Error.
  virtual void expose(Bytes /*send*/, Bytes /*recv*/) {}
  /// Ends expose(), also one that failed on another rank. Collective over the group.
  virtual void withdraw() {}
  /// Who reduces in this call, for the record: "MPI_SUM", ...
  [[nodiscard]] virtual std::string reduction(DType type, Op op) const = 0;

  /// Makes one call, or enqueues it on a device.
  using Make = void (Backend::*)(const Call&);
  /// A call of the library in its forms, and the name with which collectives refer to it (Collective::call).
  struct Offer {
    std::string_view name;
    Make make;
    Make nonblocking = nullptr, persistent = nullptr;  ///< null: not offered
  };
  template <class Derived>
  static Offer offer(std::string_view name, void (Derived::*make)(const Call&),
                     std::type_identity_t<void (Derived::*)(const Call&)> nonblocking = nullptr,
                     std::type_identity_t<void (Derived::*)(const Call&)> persistent = nullptr) {
    return {name, static_cast<Make>(make), static_cast<Make>(nonblocking), static_cast<Make>(persistent)};
  }
  /// The calls that this backend supports.
  [[nodiscard]] virtual std::span<const Offer> offers() const = 0;
  /// The call with that name (Collective::call) in that form. Throws Unsupported if there is none.
  [[nodiscard]] Make find_call(std::string_view call, CallForm form = CallForm::plain) const {
    for (const Offer& offer : offers()) {
      if (offer.name != call) continue;
      const Make make = form == CallForm::plain         ? offer.make
                        : form == CallForm::nonblocking ? offer.nonblocking
                                                        : offer.persistent;
      if (make != nullptr) return make;
      throw Unsupported("--form " + text_of(form) + ": busbar has no such form of " + std::string(library()) + "'s " +
                        std::string(call));
    }
    throw Unsupported(std::string(library()) + " has no " + std::string(call));
  }

  /// The work to do beside calls; null: a loop on this rank's CPU. Local.
  [[nodiscard]] virtual std::unique_ptr<Work> work() { return nullptr; }

  /// Waits until this rank's last call, with its repetitions, is complete. Returns its begin and end, from clock reads
  /// right beside it.
  [[nodiscard]] virtual Stretch complete() = 0;
  /// The function of the library that the last call used: "MPI_Allreduce", "ncclAllReduce", "grouped ncclSend and
  /// ncclRecv"; empty where there is no library. Valid as long as the program runs.
  [[nodiscard]] virtual std::string_view library_call() const { return ""; }

  /// Makes the library report its choices for the following calls, until choice() is called. For untimed calls only.
  virtual void listen() {}
  /// The reported choice, once these calls are complete; empty if none. May differ between ranks.
  [[nodiscard]] virtual std::optional<LibraryChoice> choice() { return std::nullopt; }
  /// Only with facts().device_clock: calls after close_gate() are enqueued on the device and start at open_gate(). So
  /// the devices of all ranks start together, and device time excludes the host's part. Local.
  virtual void close_gate() {}
  virtual void open_gate() {}
  /// Times of the last gated call, which must be complete. Its Stretch begins when the gate was opened.
  [[nodiscard]] virtual GatedTimes gated_times() { return {}; }

 protected:
  /// Begin of a call, after the barrier that it asks for. Nothing may come between this and the library's call.
  [[nodiscard]] static std::int64_t begin_ns(const Call& c) {
    if (c.start != nullptr) c.start->barrier();
    return steady_ns();
  }
};

/// Base of backends whose calls return when they are complete.
class BlockingBackend : public Backend {
 public:
  explicit BlockingBackend(std::unique_ptr<MemorySpace> memory) : memory_(std::move(memory)) {}
  [[nodiscard]] MemorySpace& memory() override { return *memory_; }
  [[nodiscard]] Stretch complete() override { return last_; }

 protected:
  /// Runs `once`, which must return when it is complete, c.repeat times, and times them together. Returns the first
  /// code that is not 0, after which it stops, or 0.
  template <class F>
  int timed(const Call& c, F&& once) {
    if (c.repeat > 1) return timed_together(c, once);
    const std::int64_t begin = begin_ns(c);
    const int code = once();
    last_ = {.begin_ns = begin, .end_ns = steady_ns()};
    return code;
  }

 private:
  /// Separate from the single call, so that no loop code is between that and the clock.
  template <class F>
  int timed_together(const Call& c, F&& once) {
    int code = 0, left = c.repeat;
    const std::int64_t begin = begin_ns(c);
    do code = once();
    while (code == 0 && --left > 0);
    last_ = {.begin_ns = begin, .end_ns = steady_ns()};
    return code;
  }

  std::unique_ptr<MemorySpace> memory_;
  Stretch last_;
};

struct BackendFactory {
  std::string_view name;
  std::string_view about;
  /// Collective over the group. Throws UsageError, the same on every rank, if the backend cannot run here or with these
  /// options.
  std::unique_ptr<Backend> (*make)(Group&, const BackendOptions&);
};

}  // namespace busbar
