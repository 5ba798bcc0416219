// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ctime>
#include <string>

#include "core/error.hpp"

namespace busbar {

/// Ends this process with Exit::aborted when a guarded stretch of time outlives its limit, so that the launcher ends
/// the job: a rank that waits for one that hangs cannot be reasoned with. A timer and a signal (SIGALRM), no thread: a
/// second thread would want MPI_THREAD_FUNNELED, which makes small messages of Open MPI 4.1 slower. One at a time in a
/// process.
class Watchdog {
 public:
  /// A limit of 0 never expires.
  explicit Watchdog(double limit_s);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// Starts the limit anew. `message` is the line that is written to standard error should it pass.
  void rearm(const std::string& message);
  /// No stretch is guarded until the next rearm().
  void rest();

 private:
  double limit_s_;
  timer_t timer_{};
};

}  // namespace busbar
