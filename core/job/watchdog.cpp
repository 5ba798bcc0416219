// SPDX-License-Identifier: Apache-2.0
#include "core/job/watchdog.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstddef>

#include <unistd.h>

namespace busbar {
namespace {

// What the signal handler may look at: nothing else can reach it.
std::array<char, 512> last_words{};
std::size_t last_words_size = 0;

void expire(int /*signal*/) {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, last_words.data(), last_words_size);
  ::_exit(static_cast<int>(Exit::aborted));
}

void set_timer(timer_t timer, double seconds) {
  itimerspec when{};
  when.it_value.tv_sec = static_cast<time_t>(std::floor(seconds));
  when.it_value.tv_nsec = static_cast<long>((seconds - std::floor(seconds)) * 1e9);
  ::timer_settime(timer, 0, &when, nullptr);
}

}  // namespace

Watchdog::Watchdog(double limit_s) : limit_s_(limit_s) {
  if (limit_s_ <= 0) return;
  std::signal(SIGALRM, expire);
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGALRM;
  if (::timer_create(CLOCK_MONOTONIC, &event, &timer_) != 0) throw Error("--timeout: the system has no timer left");
}

Watchdog::~Watchdog() {
  if (limit_s_ > 0) ::timer_delete(timer_);
}

void Watchdog::rearm(const std::string& message) {
  if (limit_s_ <= 0) return;
  rest();  // while the words change
  last_words_size = std::min(message.size(), last_words.size() - 1);
  std::copy_n(message.begin(), last_words_size, last_words.begin());
  last_words[last_words_size++] = '\n';
  set_timer(timer_, limit_s_);
}

void Watchdog::rest() {
  if (limit_s_ > 0) set_timer(timer_, 0);
}

}  // namespace busbar
