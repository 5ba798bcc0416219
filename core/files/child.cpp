// SPDX-License-Identifier: Apache-2.0
#include "core/files/child.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/error.hpp"

namespace busbar {

Spawn::Spawn() {
  posix_spawn_file_actions_init(&files_);
  posix_spawnattr_init(&attributes_);
  posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
}

Spawn::~Spawn() {
  posix_spawn_file_actions_destroy(&files_);
  posix_spawnattr_destroy(&attributes_);
}

Spawn& Spawn::output_to(int file) {
  posix_spawn_file_actions_adddup2(&files_, file, STDOUT_FILENO);
  return *this;
}

Spawn& Spawn::output_to(const std::filesystem::path& file) {
  posix_spawn_file_actions_addopen(&files_, STDOUT_FILENO, file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0644);
  return *this;
}

Spawn& Spawn::errors_with_output() {
  posix_spawn_file_actions_adddup2(&files_, STDOUT_FILENO, STDERR_FILENO);
  return *this;
}

Spawn& Spawn::own_group() {
  posix_spawnattr_setpgroup(&attributes_, 0);
  add_flag(POSIX_SPAWN_SETPGROUP);
  return *this;
}

Spawn& Spawn::blocked_signals(const sigset_t& signals) {
  posix_spawnattr_setsigmask(&attributes_, &signals);
  add_flag(POSIX_SPAWN_SETSIGMASK);
  return *this;
}

void Spawn::add_flag(short flag) {
  short flags = 0;
  posix_spawnattr_getflags(&attributes_, &flags);
  posix_spawnattr_setflags(&attributes_, static_cast<short>(flags | flag));
}

pid_t Spawn::start(const std::vector<std::string>& argv) const {
  std::vector<char*> words;
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  pid_t child = 0;
  if (const int problem = posix_spawnp(&child, argv.at(0).c_str(), &files_, &attributes_, words.data(), environ);
      problem != 0)
    throw Error(fmt::format("cannot start {}: {}", argv.at(0), std::strerror(problem)));
  return child;
}

std::pair<Descriptor, Descriptor> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw Error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

int exit_code_of(int status) { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

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
