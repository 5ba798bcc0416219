// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/files/descriptor.hpp"

namespace busbar::preflight {

/// A child process with standard output and standard error in one pipe, and no input. It has its own process group,
/// which the destructor kills.
class Child {
 public:
  /// Searches the PATH for `argv[0]`. Throws Error if it cannot be started.
  explicit Child(const std::vector<std::string>& argv);
  ~Child();
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;

  /// Descriptor to poll for output; -1 after the child closed it.
  [[nodiscard]] int output() const { return pipe_.get(); }
  /// New output since the last call; does not block.
  [[nodiscard]] std::string read();
  /// Exit code, 128 + n after signal n; empty while it runs.
  [[nodiscard]] std::optional<int> ended();
  /// Sends SIGTERM, and SIGKILL after `grace_s`.
  void end(double grace_s);

 private:
  Descriptor pipe_;
  int pid_ = -1;
  std::optional<int> code_;
};

}  // namespace busbar::preflight
