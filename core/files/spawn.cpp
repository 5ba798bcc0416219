// SPDX-License-Identifier: Apache-2.0
#include "core/files/spawn.hpp"

#include <array>
#include <cerrno>
#include <cstring>

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

}  // namespace busbar
