// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include <sys/types.h>

#include "core/job/guard/progress.hpp"
#include "core/ranks/group.hpp"

namespace busbar {

/// Watches over this rank from a process of its own, which shares the rank's Progress and sleeps while all is well. It
/// speaks and acts where the rank cannot: when a limit passes, and when the rank was killed, stopped, or hangs in the
/// kernel. Guards of a job tell each other, apart from MPI, where their ranks are; who is waited for is named, the
/// record gets its end, and the job is gone within 10 s, whatever the launcher does. docs/reliability.md.
///
/// A process and no thread: threads make small messages of Open MPI 4.1 slower (Threading::single), and a thread is
/// stopped and killed with its rank. One a process, made before MPI and CUDA are initialised, since it forks.
class Guard {
 public:
  /// The start-up of `program` begins, which may take `limit_s` (0: for ever). Throws Error where there are no
  /// processes or sockets left.
  Guard(const std::string& program, double limit_s);
  /// The rank ends in order. A guard that was stopped is woken, and ended where that does not help: nobody waits for
  /// it.
  ~Guard();
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

  /// Collective. From here on guards know each other.
  void join(Group& group);
  [[nodiscard]] Progress& progress() { return *progress_; }
  /// As Progress::enter().
  void enter(std::string_view what, std::string_view where, std::string_view flag, double limit_s);
  /// As Progress::rest().
  void rest();
  /// What this rank's host is called from now on, in what is said and recorded.
  void name_host(const std::string& name);
  /// The record that rank 0 writes, an open file: it is given its end where the rank cannot do it.
  void keep_record(int file);
  /// `why` is said and recorded, with where the rank is, and other ranks are ended; gives back when that was done, or
  /// after some seconds. The rank then ends with Exit::aborted.
  void abort(std::string_view why) noexcept;
  /// False once the guard's process has ended before its rank: somebody killed it. There is no second one, since a
  /// process with MPI and CUDA cannot be forked; the rank's limits are then kept by a timer, which ends it without
  /// naming others.
  [[nodiscard]] bool protects() const { return !lost_; }

 private:
  void look_after_guard();
  void set_timer(double limit_s) const;

  Progress* progress_;  ///< in memory that is shared with the guard
  int channel_ = -1;    ///< to the guard
  pid_t guard_ = -1;    ///< -1: it has ended
  bool lost_ = false;   ///< it ended before its rank
  std::string program_;
  std::string address_;  ///< of the guard
};

}  // namespace busbar
