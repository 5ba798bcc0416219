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

/// Other programs as children of this one: without a shell, and without a copy of this process's memory (posix_spawn),
/// so that MPI does not mind.
namespace busbar {

/// How a child is started: with nothing to read, the rest as this process has it, but for what is said here.
class Spawn {
 public:
  Spawn();
  ~Spawn();
  Spawn(const Spawn&) = delete;
  Spawn& operator=(const Spawn&) = delete;

  /// Its standard output goes to an open file of ours.
  Spawn& output_to(int file);
  /// Its standard output goes to a file, which is made or emptied.
  Spawn& output_to(const std::filesystem::path& file);
  /// Its standard error goes where its output goes; said after that.
  Spawn& errors_with_output();
  /// It leads a process group of its own, which can be signalled as one: Ctrl-C on a terminal does not reach it.
  Spawn& own_group();
  /// The signals that it starts with blocked.
  Spawn& blocked_signals(const sigset_t& signals);

  /// Looks for `argv[0]` in the PATH. Throws Error where it cannot be started. The caller waits for what it returns.
  [[nodiscard]] pid_t start(const std::vector<std::string>& argv) const;

 private:
  void add_flag(short flag);

  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

/// A pipe whose ends no child inherits by itself: {to read from, to write to}. Throws Error where there is none.
[[nodiscard]] std::pair<Descriptor, Descriptor> make_pipe();

/// Of a child that waitpid() told of: its exit code, 128 and the signal's number where one killed it.
[[nodiscard]] int exit_code_of(int status);

}  // namespace busbar
