// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include <sys/types.h>

#include "core/job/guard/progress.hpp"
#include "core/ranks/group.hpp"

namespace busbar {

/// Watches this rank from a separate process, which shares the rank's Progress and sleeps while all is well. It reports
/// and acts when the rank cannot: when a limit passes, or when the rank is killed, stopped, or hangs in the kernel.
/// Guards exchange the positions of their ranks without MPI. They name the rank that others wait for, complete the
/// record and end the job within 10 s, whatever the launcher does. See docs/reliability.md.
///
/// A process, not a thread: threads slow down small messages of Open MPI 4.1 (Threading::single), and a thread is
/// stopped and killed with its rank. One per process; construct it before MPI and CUDA are initialised, since it forks.
/// It watches all ranks of the process, if threads are ranks.
class Guard {
 public:
  /// Begins the start-up of `program`, limited to `limit_s` (0: no limit). `ranks`: of this process; this object is the
  /// first one's. Throws Error without processes or sockets.
  Guard(const std::string& program, double limit_s, int ranks = 1);
  /// For rank `number` of the process (from 1), which is a thread. `first` must outlive this.
  Guard(Guard& first, int number);
  /// The rank ends normally. Resumes a stopped guard, and kills it if it does not end within a second.
  ~Guard();
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

  /// Collective over the group, one rank per process. Guards know each other from here on.
  void join(Group& processes);
  [[nodiscard]] Progress& progress() { return *progress_; }
  /// As Progress::enter().
  void enter(std::string_view what, std::string_view where, std::string_view flag, double limit_s);
  /// As Progress::rest().
  void rest();
  /// Sets the name of this rank's host for messages and the record.
  void name_host(const std::string& name);
  /// The open record file of rank 0. The guard completes it if the rank cannot.
  void keep_record(int file);
  /// Reports and records `why` with the rank's position, and ends the other ranks. Returns when that is done, or after
  /// some seconds. The caller then ends the rank with Exit::aborted.
  void abort(std::string_view why) noexcept;
  /// False once the guard has been killed before its rank. It cannot be replaced: a process with MPI and CUDA must not
  /// fork. A timer then enforces the rank's limits, and ends the rank without naming others.
  [[nodiscard]] bool protects() const { return !lost_; }

 private:
  void look_after_guard();
  void set_timer(double limit_s) const;

  int ranks_;           ///< of the process, if this is the first one's; else 0
  Progress* progress_;  ///< shared with the guard; the first rank's is followed by those of the others
  int channel_ = -1;    ///< to the guard
  pid_t guard_ = -1;    ///< -1: the guard has ended
  bool lost_ = false;   ///< the guard ended before its rank
  std::string program_;
  std::string address_;  ///< of the guard
};

}  // namespace busbar
