// SPDX-License-Identifier: Apache-2.0
#include "core/machine/local_clock.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>

#include <sched.h>

namespace busbar {
namespace {

/// Waking this often costs 3 to 5 % of a core.
constexpr std::int64_t slice_ns = 100'000;

}  // namespace

std::int64_t steady_ns() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void wait_towards(std::int64_t ns, Waiting how) {
  if (how == Waiting::yield) ::sched_yield();
  if (how != Waiting::sleep) return;
  const std::int64_t until = std::min(ns, steady_ns() + slice_ns);
  const std::timespec at{.tv_sec = until / 1'000'000'000, .tv_nsec = until % 1'000'000'000};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, nullptr);
}

}  // namespace busbar
