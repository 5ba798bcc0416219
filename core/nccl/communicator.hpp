// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <thread>

#include "core/cuda/stream.hpp"
#include "core/machine/local_clock.hpp"
#include "core/nccl/check.hpp"
#include "core/ranks/group.hpp"

namespace busbar {

/// NCCL's communicator over the ranks of a Group. After an error it is aborted and of no more use; the ranks cannot
/// agree any further, so whoever catches what it threw ends the job.
class NcclCommunicator {
 public:
  /// How many of a GPU's CTAs communication takes (NCCL documentation, "CTA policy flags"); unset: NCCL_CTA_POLICY, or
  /// NCCL's default. NCCL 2.27; zero, which needs symmetric windows, 2.28.
  enum class CtaPolicy { unset, efficiency = 1, zero = 2 };
  struct Settings {
    double timeout_s = 0;  ///< for each wait on the device and on other ranks; 0: none
    /// True: calls return once their work is in the stream, as in nccl-tests and most applications. Should one not
    /// return at all, the rank's Guard ends the job. False: each call starts a thread of NCCL's own
    /// (ncclGroupEndInternal in NCCL's sources) and returns at once; what the thread takes is then part of its time.
    bool blocking = true;
    CtaPolicy cta_policy = CtaPolicy::unset;
  };
  /// Collective. The device that is current is this rank's. Throws Error, UsageError where this was built with a NCCL
  /// that has no CTA policies and one is asked for.
  NcclCommunicator(Group& group, const Settings& settings);
  /// A part of `parent`, whose resources it shares (ncclCommSplit with splitShare). Collective over the parent's ranks:
  /// those without a group get an object without a communicator. `group`: the ranks that gave the same `colour`, at
  /// least 0; null: this rank has no part. `parent` outlives this. Throws as the other.
  NcclCommunicator(NcclCommunicator& parent, Group* group, int colour, const Settings& settings);
  /// Not collective for the caller, though NCCL finishes what was begun; bounded by the time limit.
  ~NcclCommunicator();
  NcclCommunicator(const NcclCommunicator&) = delete;
  NcclCommunicator& operator=(const NcclCommunicator&) = delete;

  /// Null without a part, and after an error: NCCL has freed it, and what was registered with it.
  [[nodiscard]] ncclComm_t handle() const { return comm_; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }

  /// The final code of an NCCL call: waits while it is in progress. Throws Error where that takes too long.
  [[nodiscard]] ncclResult_t outcome(ncclResult_t code, std::string_view what);
  /// False after an error: one that does not block is of no more use then, even where a call was only refused.
  [[nodiscard]] bool usable() const;

  /// To be called with the code of each NCCL call on this communicator: returns when it has succeeded. Throws Error
  /// when it failed, or went on for too long. `what`: the call, for the message.
  void await(ncclResult_t code, std::string_view what) {
    if (code != ncclSuccess) [[unlikely]]
      await_slowly(code, what);
  }
  /// Returns when `event` has passed; meanwhile checks for asynchronous errors. Polls, and yields the CPU after each
  /// look, as nccl-tests does (testStreamSynchronize in common.cu): a rank that is bound to one core shares it with
  /// NCCL's proxy threads, and a call that starves them took 2.3 ms instead of 2 us. Throws Error as await() does.
  void await(const cuda::Event& event, std::string_view what) {
    await_passed([&] { return event.passed(); }, what);
  }
  /// The same for all that `stream` was given.
  void await(const cuda::Stream& stream, std::string_view what) {
    await_passed([&] { return stream.passed(); }, what);
  }

 private:
  template <class Passed>
  void await_passed(Passed passed, std::string_view what) {
    if (passed()) return;
    const std::int64_t begin_ns = steady_ns();
    std::int64_t looked_ns = begin_ns;
    do {
      std::this_thread::yield();  // NCCL's proxy threads may have this CPU alone; on a busy one it takes milliseconds
      if (steady_ns() - looked_ns < between_looks_ns) continue;
      require_progress(what, begin_ns);
      looked_ns = steady_ns();
    } while (!passed());
  }
  void await_slowly(ncclResult_t code, std::string_view what);
  [[noreturn]] void fail(ncclResult_t code, std::string_view what);
  /// For asynchronous errors, and at the time since `begin_ns`.
  void require_progress(std::string_view what, std::int64_t begin_ns);

  static constexpr std::int64_t between_looks_ns = 1'000'000;

  int rank_ = 0, size_ = 1;
  Settings settings_;
  ncclComm_t comm_ = nullptr;
};

}  // namespace busbar
