// SPDX-License-Identifier: Apache-2.0
#include "reports/suite/child.hpp"

#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/error.hpp"
#include "core/files/child.hpp"

namespace busbar::suite {

Signals::Signals() {
  std::signal(SIGCHLD, SIG_DFL);  // if inherited as ignored, no child could be waited for
  sigemptyset(&ours_);
  sigaddset(&ours_, SIGCHLD);
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction now{};
    sigaction(signal, nullptr, &now);
    if (now.sa_handler != SIG_IGN) sigaddset(&ours_, signal);
  }
  sigprocmask(SIG_BLOCK, &ours_, &before_);
}

Signals::~Signals() { sigprocmask(SIG_SETMASK, &before_, nullptr); }

int Signals::wait(double seconds) {
  const double whole = std::floor(seconds);
  timespec limit{.tv_sec = static_cast<time_t>(whole), .tv_nsec = static_cast<long>((seconds - whole) * 1e9)};
  for (int signal = sigtimedwait(&ours_, nullptr, &limit); signal > 0; signal = sigtimedwait(&ours_, nullptr, &limit)) {
    seen_ += signal != SIGCHLD;
    limit = {};  // then only signals that are already pending
  }
  return seen_;
}

Ended run_child(const std::vector<std::string>& argv, const std::filesystem::path& log, const Limits& limits,
                Signals& signals, const std::function<void(double)>& meanwhile) {
  constexpr double never = std::numeric_limits<double>::infinity();
  const auto begin = std::chrono::steady_clock::now();
  Child child(Spawn().output_to(log).errors_with_output().blocked_signals(signals.before()), argv);
  Ended result;
  std::optional<int> code;
  double kill_at = never;
  int signals_then = 0;
  const auto end_it = [&](LaunchEnd why) {
    result.why = why;
    kill_at = seconds_since(begin) + limits.grace_s;
    signals_then = signals.wait(0);
    child.signal(SIGTERM);
  };
  // After SIGTERM or SIGKILL, wait for the whole process group, not just the child.
  while (!code || (kill_at < never && child.group_exists())) {
    const int count = signals.wait(code ? 0.05 : 1);
    code = child.ended();
    const double now = seconds_since(begin);
    if (kill_at < never) {
      if (now > kill_at || count > signals_then) child.signal(SIGKILL);
      if (code && now > kill_at + limits.grace_s) break;  // a zombie that no process reaps
    } else if (!code && count > 0) {
      end_it(LaunchEnd::interrupted);
    } else if (!code && now > limits.time_s) {
      end_it(LaunchEnd::time_limit);
    }
    if (!code) meanwhile(now);
  }
  result.exit_code = *code;
  result.wall_s = seconds_since(begin);
  return result;
}

std::string output_of(const std::vector<std::string>& argv) {
  auto [reading, writing] = make_pipe();
  const pid_t child = Spawn().output_to(writing.get()).start(argv);
  writing = {};
  std::string text;
  std::array<char, 4096> part{};
  for (ssize_t n = 0; (n = ::read(reading.get(), part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(n));
  int status = 0;
  ::waitpid(child, &status, 0);
  if (exit_code_of(status) != 0) throw Error(fmt::format("{} gave exit code {}", argv[0], exit_code_of(status)));
  return text;
}

}  // namespace busbar::suite
