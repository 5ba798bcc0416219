// SPDX-License-Identifier: Apache-2.0
#include "preflight/child.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/core.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.hpp"
#include "core/local_clock.hpp"

namespace busbar::preflight {

Child::Child(std::vector<std::string> argv) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw Error(fmt::format("{}: {}", argv.at(0), std::strerror(errno)));
  posix_spawn_file_actions_t files{};
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&files, ends[1], STDERR_FILENO);
  posix_spawnattr_t attributes{};
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::vector<char*> words;
  for (std::string& word : argv) words.push_back(word.data());
  words.push_back(nullptr);
  const int problem = ::posix_spawnp(&pid_, words[0], &files, &attributes, words.data(), environ);
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&attributes);
  ::close(ends[1]);
  pipe_ = ends[0];
  ::fcntl(pipe_, F_SETFL, O_NONBLOCK);
  if (problem == 0) return;
  ::close(pipe_);
  throw Error(fmt::format("{} cannot be started: {}", argv.at(0), std::strerror(problem)));
}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), pipe_(std::exchange(other.pipe_, -1)), code_(other.code_) {}

Child::~Child() {
  if (pid_ > 0 && !ended()) {
    ::kill(-pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  if (pipe_ >= 0) ::close(pipe_);
}

std::string Child::read() {
  std::string all;
  std::array<char, 4096> part{};
  while (pipe_ >= 0) {
    const auto got = ::read(pipe_, part.data(), part.size());
    if (got > 0) all.append(part.data(), static_cast<std::size_t>(got));
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) ::close(std::exchange(pipe_, -1));
    if (got <= 0) break;
  }
  return all;
}

std::optional<int> Child::ended() {
  int status = 0;
  if (code_ || pid_ < 0 || ::waitpid(pid_, &status, WNOHANG) != pid_) return code_;
  code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return code_;
}

void Child::end(double grace_s) {
  if (ended()) return;
  ::kill(-pid_, SIGTERM);
  const std::int64_t began = steady_ns();
  while (!ended() && seconds_since(began) < grace_s) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  if (!ended()) ::kill(-pid_, SIGKILL);
}

}  // namespace busbar::preflight
