// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include <nccl.h>

#include "core/ranks/thread_group.hpp"

namespace busbar {

/// Calls of all GPUs of a process, launched by its first thread as one group, as in nccl-tests with -g. Shared by the
/// process's threads.
class JointLaunch {
 public:
  explicit JointLaunch(int threads) : meet_(threads), seats_(static_cast<std::size_t>(threads)) {}

  /// Collective over the threads of the process. Makes the calls `once` of all threads, as one group, `times` times
  /// one after another. Returns the code for the calls of thread `thread`, this one. Needs blocking communicators.
  template <class Once>
  [[nodiscard]] ncclResult_t launch(int thread, int times, Once& once) {
    Seat& mine = seats_[static_cast<std::size_t>(thread)];
    mine = {.once = [](void* its) { return (*static_cast<Once*>(its))(); }, .of = &once, .code = ncclSuccess};
    meet_.arrive_and_wait();
    if (thread == 0)
      for (int i = 0; i < times; ++i) launch_group();
    meet_.arrive_and_wait();
    return mine.code;
  }

 private:
  /// A thread's call, and its first error.
  struct Seat {
    ncclResult_t (*once)(void*) = nullptr;
    void* of = nullptr;
    ncclResult_t code = ncclSuccess;
    void note(ncclResult_t code_now) {
      if (code == ncclSuccess) code = code_now;
    }
  };

  void launch_group() {
    const ncclResult_t began = ncclGroupStart();
    for (Seat& seat : seats_) seat.note(seat.once(seat.of));
    const ncclResult_t ended = ncclGroupEnd();
    for (Seat& seat : seats_) seat.note(began == ncclSuccess ? ended : began);
  }

  PolledBarrier meet_;
  std::vector<Seat> seats_;  ///< by thread
};

}  // namespace busbar
