// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/files/descriptor.hpp"
#include "core/files/spawn.hpp"

namespace busbar {

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
