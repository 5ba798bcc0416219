// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/backend/backend_facts.hpp"
#include "core/base/error.hpp"
#include "core/base/table.hpp"
#include "core/elements/memory_space.hpp"
#include "core/elements/redop.hpp"
#include "core/ranks/group.hpp"
#include "core/ranks/local_place.hpp"
#include "core/record/gated_times.hpp"
#include "core/record/library_choice.hpp"

namespace busbar {

struct Collective;

/// When something began and ended on this rank, by the steady clock of its host.
struct Stretch {
  std::int64_t begin_ns = 0, end_ns = 0;

  [[nodiscard]] double seconds() const { return static_cast<double>(end_ns - begin_ns) * 1e-9; }
};

/// One invocation of a collective, as one rank sees it.
struct Call {
  int rank = 0, ranks = 1, root = 0;
  int to = 0, from = 0;  ///< ranks that sendrecv sends to and receives from
  DType type = DType::f32;
  Op op = Op::sum;
  std::size_t count = 0;       ///< elements, as MPI's count argument: of the whole buffer, or of one rank's block
  bool in_place = false;       ///< send and recv lie in one buffer, as MPI_IN_PLACE wants them
  ConstBytes send;             ///< what this rank contributes; empty on ranks that contribute nothing
  Bytes recv;                  ///< what this rank ends up with; empty on ranks that get nothing
  int repeat = 1;              ///< how many times in a row, timed as one
  std::string_view algorithm;  ///< one of BackendOptions::algorithms; empty: the library chooses
};

/// What the user wants of a backend. A backend refuses what it does not know.
struct BackendOptions {
  std::optional<std::string> memory;    ///< host, device; empty: what the backend has
  bool with_data = true;                ///< buffers hold what is sent; false: a simulator may do with sizes
  bool share_gpu = false;               ///< several ranks may have one GPU, on purpose
  std::optional<LocalPlace> place;      ///< of this rank; empty: the backend's ranks are all of the job
  int graph_calls = 0;                  ///< so many calls are one CUDA graph; 0: calls are given to the stream singly
  bool registered = false;              ///< buffers are registered with the library
  bool nonblocking = false;             ///< calls return before their work is in the stream
  bool comm_split = false;              ///< backends of a part of the ranks are made by Backend::split()
  std::vector<std::string> algorithms;  ///< that calls will ask for: "ring/simple", "symmetric+zero"; empty: none
  double timeout_s = 0;                 ///< for a call; 0: none
};

/// Data plane: what is measured. A call may return before it is complete; complete() waits for it.
/// Calls are collective over the ranks of the Group that the backend was made from. They throw Error.
class Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  /// Where the buffers of calls lie.
  [[nodiscard]] virtual MemorySpace& memory() = 0;
  [[nodiscard]] virtual BackendFacts facts() const { return {}; }
  /// Whose calls these are, for messages: "MPI", "NCCL".
  [[nodiscard]] virtual std::string_view library() const { return "the library"; }
  /// A backend of a part of the ranks, which shares this one's resources. Collective over this one's ranks, those who
  /// have no part with `members` null, who get null. `members`: those who gave the same `colour`, at least 0. Throws
  /// Error.
  [[nodiscard]] virtual std::unique_ptr<Backend> split(Group* /*members*/, int /*colour*/) { return nullptr; }

  /// Throws Unsupported for what this backend cannot do; makes ready what the call needs. Never timed. Local for a call
  /// that is not repeated; collective for one that is.
  virtual void prepare(const Collective& what, const Call& call) = 0;
  /// Makes a prepared call once where the library says only then that it cannot: an algorithm that does not exist on
  /// this machine. Collective. Throws Unsupported, the same on every rank.
  virtual void try_out(const Collective& /*what*/, const Call& /*call*/) {}
  /// Who does the reduction of this call, for the record: "MPI_SUM", ...
  [[nodiscard]] virtual std::string reduction(DType type, Op op) const = 0;

  /// Makes one call, or gives it to a device.
  using Make = void (Backend::*)(const Call&);
  /// A call of the library and the name that collectives ask for it by (Collective::call).
  struct Offer {
    std::string_view name;
    Make make;
  };
  template <class Derived>
  static Offer offer(std::string_view name, void (Derived::*make)(const Call&)) {
    return {name, static_cast<Make>(make)};
  }
  /// The calls that this backend has.
  [[nodiscard]] virtual std::span<const Offer> offers() const = 0;
  /// The one of that name (Collective::call). Throws Unsupported where there is none.
  [[nodiscard]] Make find_call(std::string_view call) const {
    for (const Offer& offer : offers())
      if (offer.name == call) return offer.make;
    throw Unsupported(std::string(library()) + " has no " + std::string(call));
  }

  /// Waits until this rank's last call (with its repetitions) is complete; when it began and ended, the clock read
  /// right beside it.
  [[nodiscard]] virtual Stretch complete() = 0;
  /// The function of the library that the last call used: "MPI_Allreduce", "ncclAllReduce", "grouped ncclSend and
  /// ncclRecv"; empty where there is no library. Valid as long as the program runs.
  [[nodiscard]] virtual std::string_view library_call() const { return ""; }

  /// The library is to tell what it chooses for the calls that follow, until choice() is asked. Around calls that do
  /// not count only.
  virtual void listen() {}
  /// What it told, when all these calls are complete; empty where it did not. Each rank's own.
  [[nodiscard]] virtual std::optional<LibraryChoice> choice() { return std::nullopt; }
  /// Where facts().device_clock: calls that follow are given to the device and start there when open_gate() is called,
  /// so that the ranks' devices start together and the host's part is no part of the device's time. Local.
  virtual void close_gate() {}
  virtual void open_gate() {}
  /// Of the last call, which was given behind the gate and is complete. Its Stretch began when the gate was opened.
  [[nodiscard]] virtual GatedTimes gated_times() { return {}; }
};

struct BackendFactory {
  std::string_view name;
  std::string_view about;
  /// Collective. Throws UsageError, the same on every rank, where it cannot run here or not with these options.
  std::unique_ptr<Backend> (*make)(Group&, const BackendOptions&);
};

}  // namespace busbar
