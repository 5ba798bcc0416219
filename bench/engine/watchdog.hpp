// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace busbar {

/// Calls `expired` from a thread of its own when a guarded stretch of time outlives its limit: a rank that waits for
/// one that hangs cannot be reasoned with.
class Watchdog {
 public:
  /// A limit of 0 never expires.
  Watchdog(double limit_s, std::function<void()> expired);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// Starts the limit anew.
  void rearm();

 private:
  void watch(const std::stop_token& stop);
  double limit_s_;
  std::function<void()> expired_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  bool rearmed_ = false;
  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace busbar
