// SPDX-License-Identifier: Apache-2.0
#include "preflight/contact/alarm.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <ctime>

#include <fmt/core.h>
#include <unistd.h>

#include "core/base/error.hpp"
#include "core/machine/local_clock.hpp"

namespace busbar::preflight {
namespace {

// State of the signal handler.
std::array<char, 512> last_words{};
std::size_t last_words_size = 0;
timer_t timer{};
int code_at_end = 0;
volatile std::sig_atomic_t has_spoken = 0;

void set_timer(double seconds) {
  itimerspec when{};
  when.it_value.tv_sec = static_cast<time_t>(std::floor(seconds));
  when.it_value.tv_nsec = static_cast<long>((seconds - std::floor(seconds)) * 1e9);
  ::timer_settime(timer, 0, &when, nullptr);
}

void expire(int /*signal*/) {
  if (has_spoken != 0) ::_exit(code_at_end);
  has_spoken = 1;
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, last_words.data(), last_words_size);
  set_timer(Alarm::grace_s);
}

/// Blocks SIGALRM during its lifetime.
class Held {
 public:
  Held() {
    sigset_t alarm;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    ::sigprocmask(SIG_BLOCK, &alarm, &before_);
  }
  ~Held() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

Alarm::Alarm(double limit_s, std::string who) : limit_s_(limit_s), who_(std::move(who)) {
  struct sigaction action{};
  action.sa_handler = expire;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGALRM, &action, nullptr);
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGALRM;
  if (::timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) throw Error("--timeout: no system timer available");
}

Alarm::~Alarm() { ::timer_delete(timer); }

void Alarm::enter(Stage stage) {
  set_timer(0);
  stage_ = stage;
  code_at_end = exit_code(stage);
  has_spoken = 0;
  began_ns_ = steady_ns();
  at("starting the stage");
  set_timer(limit_s_);
}

void Alarm::at(const std::string& what) {
  const std::string words = fmt::format("busbar-preflight: {}: stage {} timed out after {} s; this rank: {}\n", who_,
                                        name(stage_), limit_s_, what);
  const Held held;
  last_words_size = std::min(words.size(), last_words.size());
  std::copy_n(words.begin(), last_words_size, last_words.begin());
  last_words[last_words_size - 1] = '\n';
}

bool Alarm::over() const { return seconds_since(began_ns_) > limit_s_; }

}  // namespace busbar::preflight
