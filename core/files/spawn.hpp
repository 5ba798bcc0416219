// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <csignal>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <spawn.h>
#include <sys/types.h>

#include "core/files/descriptor.hpp"

/// Starts other programs with posix_spawn: without a shell and without copying this process's memory, so it is safe
/// under MPI.
namespace busbar {

/// How to start a child. By default it reads /dev/null and inherits everything else.
class Spawn {
 public:
  Spawn();
  ~Spawn();
  Spawn(const Spawn&) = delete;
  Spawn& operator=(const Spawn&) = delete;

  /// Redirects standard output to an open file descriptor.
  Spawn& output_to(int file);
  /// Redirects standard output to a file, which is created or truncated.
  Spawn& output_to(const std::filesystem::path& file);
  /// Redirects standard error to standard output. Call it after output_to().
  Spawn& errors_with_output();
  /// Starts the child in a new process group, which can be signalled as a whole. Ctrl-C on a terminal does not reach
  /// it.
  Spawn& own_group();
  /// The child starts with these signals blocked.
  Spawn& blocked_signals(const sigset_t& signals);

  /// Searches PATH for `argv[0]`. Throws Error if it cannot be started. The caller must wait for the returned process.
  [[nodiscard]] pid_t start(const std::vector<std::string>& argv) const;

 private:
  void add_flag(short flag);

  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

/// A pipe as {read end, write end}, both close-on-exec. Throws Error if it cannot be created.
[[nodiscard]] std::pair<Descriptor, Descriptor> make_pipe();

/// Exit code from a waitpid() status; 128 plus the signal's number if a signal killed the child.
[[nodiscard]] int exit_code_of(int status);

}  // namespace busbar
