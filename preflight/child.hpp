// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/descriptor.hpp"

namespace busbar::preflight {

/// A process that was started with its standard output and standard error in one pipe, and nothing to read. In a
/// process group of its own, which is killed with the object.
class Child {
 public:
  /// Looks for `argv[0]` in the PATH. Throws Error where it cannot be started.
  explicit Child(const std::vector<std::string>& argv);
  ~Child();
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;

  /// Where its output can be waited for; -1 when it has closed it.
  [[nodiscard]] int output() const { return pipe_.get(); }
  /// What it has written since; does not wait.
  [[nodiscard]] std::string read();
  /// Its exit code, 128 + n where signal n ended it; empty: it runs on.
  [[nodiscard]] std::optional<int> ended();
  /// Asks it to end (SIGTERM), and ends it when it has not after `grace_s`.
  void end(double grace_s);

 private:
  Descriptor pipe_;
  int pid_ = -1;
  std::optional<int> code_;
};

}  // namespace busbar::preflight
