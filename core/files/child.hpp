// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <csignal>
#include <filesystem>
#include <optional>
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

/// A child process in its own process group, which the destructor kills if the child still runs.
class Child {
 public:
  /// Starts `argv` with standard output and standard error in one pipe, and no input. Searches the PATH for `argv[0]`.
  /// Throws Error if it cannot be started.
  explicit Child(const std::vector<std::string>& argv);
  /// Starts `argv` as `spawn` says.
  Child(Spawn& spawn, const std::vector<std::string>& argv) : pid_(spawn.own_group().start(argv)) {}
  ~Child();
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;

  /// Descriptor to poll for output; -1 without a pipe, and after the child closed it.
  [[nodiscard]] int output() const { return pipe_.get(); }
  /// New output since the last call; does not block.
  [[nodiscard]] std::string read();
  /// Exit code, 128 + n after signal n; empty while it runs.
  [[nodiscard]] std::optional<int> ended();
  /// True if a process of its group still exists.
  [[nodiscard]] bool group_exists() const;
  /// Sends a signal to its group.
  void signal(int number) const;
  /// Sends SIGTERM, and SIGKILL after `grace_s`.
  void end(double grace_s);

 private:
  Descriptor pipe_;
  pid_t pid_ = -1;
  std::optional<int> code_;
};

}  // namespace busbar
