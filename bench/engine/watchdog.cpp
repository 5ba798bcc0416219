// SPDX-License-Identifier: Apache-2.0
#include "bench/engine/watchdog.hpp"

#include <chrono>

namespace busbar {

Watchdog::Watchdog(double limit_s, std::function<void()> expired) : limit_s_(limit_s), expired_(std::move(expired)) {
  if (limit_s_ > 0) thread_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

Watchdog::~Watchdog() = default;

void Watchdog::rearm() {
  const std::scoped_lock lock(mutex_);
  rearmed_ = true;
  wake_.notify_all();
}

void Watchdog::watch(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    rearmed_ = false;
    const bool woken = wake_.wait_for(lock, stop, std::chrono::duration<double>(limit_s_), [this] { return rearmed_; });
    if (!woken && !stop.stop_requested()) return expired_();
  }
}

}  // namespace busbar
