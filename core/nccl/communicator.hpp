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

/// NCCL communicator over the ranks of a Group. After an error it is aborted and unusable. The ranks can then no longer
/// agree, so the catcher must end the job.
class NcclCommunicator {
 public:
  /// Limits the CTAs that communication uses on a GPU (NCCL documentation, "CTA policy flags"); unset: NCCL_CTA_POLICY,
  /// or NCCL's default. Needs NCCL 2.27; `zero` needs 2.28 and symmetric windows.
  enum class CtaPolicy { unset, efficiency = 1, zero = 2 };
  struct Settings {
    double timeout_s = 0;  ///< for each wait on the device or other ranks; 0: none
    /// True: calls return once their work is in the stream, as in nccl-tests and most applications; if a call hangs,
    /// the rank's Guard ends the job. False: each call starts an NCCL thread (ncclGroupEndInternal in NCCL's sources)
    /// and returns at once; the measured time then includes that thread.
    bool blocking = true;
    CtaPolicy cta_policy = CtaPolicy::unset;
  };
  /// Collective over the group. Uses the current device. Throws Error; UsageError if a CTA policy is requested and this
  /// was built with an NCCL without them.
  NcclCommunicator(Group& group, const Settings& settings);
  /// A part of `parent` that shares its resources (ncclCommSplit with splitShare). Collective over the parent's ranks.
  /// `group`: the ranks with the same `colour`, which is at least 0; null: this rank has no part and gets no
  /// communicator. `parent` must outlive this. Throws as above.
  NcclCommunicator(NcclCommunicator& parent, Group* group, int colour, const Settings& settings);
  /// Not collective, but NCCL completes pending work; bounded by the time limit.
  ~NcclCommunicator();
  NcclCommunicator(const NcclCommunicator&) = delete;
  NcclCommunicator& operator=(const NcclCommunicator&) = delete;

  /// Null without a part, and after an error: NCCL has then freed it and everything registered with it.
  [[nodiscard]] ncclComm_t handle() const { return comm_; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }

  /// Final code of an NCCL call; waits while it is in progress. Throws Error after the time limit.
  [[nodiscard]] ncclResult_t outcome(ncclResult_t code, std::string_view what);
  /// False after an error. A non-blocking communicator is then unusable even if a call was only refused.
  [[nodiscard]] bool usable() const;

  /// Call this with the result of each NCCL call on this communicator. Returns when the call has succeeded. Throws
  /// Error if it failed or exceeded the time limit. `what`: the call, for the message.
  void await(ncclResult_t code, std::string_view what) {
    if (code != ncclSuccess) [[unlikely]]
      await_slowly(code, what);
  }
  /// Returns when `event` has passed; meanwhile checks for asynchronous errors. Yields the CPU after each poll, as
  /// nccl-tests does (testStreamSynchronize in common.cu): a rank bound to one core shares it with NCCL's proxy
  /// threads. Starving them made a call take 2.3 ms instead of 2 us. Throws Error as await() does.
  void await(const cuda::Event& event, std::string_view what) {
    await_passed([&] { return event.passed(); }, what);
  }
  /// The same for all work in `stream`.
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
      std::this_thread::yield();  // NCCL's proxy threads may have only this CPU; if it is busy, this takes milliseconds
      if (steady_ns() - looked_ns < between_looks_ns) continue;
      require_progress(what, begin_ns);
      looked_ns = steady_ns();
    } while (!passed());
  }
  void await_slowly(ncclResult_t code, std::string_view what);
  [[noreturn]] void fail(ncclResult_t code, std::string_view what);
  /// Throws on asynchronous errors, and if the time limit since `begin_ns` has passed.
  void require_progress(std::string_view what, std::int64_t begin_ns);

  static constexpr std::int64_t between_looks_ns = 1'000'000;

  int rank_ = 0, size_ = 1;
  Settings settings_;
  ncclComm_t comm_ = nullptr;
};

/// Lets ranks of one host share a GPU, which NCCL normally refuses. Each rank gets its own host id (NCCL_HOSTID), so
/// NCCL uses its network transport between them. Call it before the first communicator; a user's value is kept.
void let_ranks_share_a_gpu(int rank);

}  // namespace busbar
