// SPDX-License-Identifier: Apache-2.0
#include "core/files/child.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace busbar {

Child::Child(const std::vector<std::string>& argv) {
  auto [reading, writing] = make_pipe();
  pid_ = Spawn().output_to(writing.get()).errors_with_output().own_group().start(argv);
  pipe_ = std::move(reading);
  ::fcntl(pipe_.get(), F_SETFL, O_NONBLOCK);
}

Child::Child(Child&& other) noexcept
    : pipe_(std::move(other.pipe_)), pid_(std::exchange(other.pid_, -1)), code_(other.code_) {}

Child::~Child() {
  if (pid_ > 0 && !ended()) {
    signal(SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
}

std::string Child::read() {
  std::string all;
  std::array<char, 4096> part{};
  while (pipe_.is_open()) {
    const auto got = ::read(pipe_.get(), part.data(), part.size());
    if (got > 0) all.append(part.data(), static_cast<std::size_t>(got));
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) pipe_ = {};
    if (got <= 0) break;
  }
  return all;
}

std::optional<int> Child::ended() {
  int status = 0;
  if (code_ || pid_ < 0 || ::waitpid(pid_, &status, WNOHANG) != pid_) return code_;
  return code_ = exit_code_of(status);
}

bool Child::group_exists() const { return ::kill(-pid_, 0) == 0 || errno == EPERM; }

void Child::signal(int number) const { ::kill(-pid_, number); }

void Child::end(double grace_s) {
  using Clock = std::chrono::steady_clock;
  if (ended()) return;
  signal(SIGTERM);
  const auto limit = Clock::now() + std::chrono::duration<double>(grace_s);
  while (!ended() && Clock::now() < limit) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  if (!ended()) signal(SIGKILL);
}

}  // namespace busbar
