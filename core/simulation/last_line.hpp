// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string>

namespace busbar {

/// SimGrid says what is wrong with some platforms and settings on standard error, with a backtrace, and aborts or
/// crashes. While this lives, the first line of that is all that is seen, behind `prefix`, and the process ends with
/// exit code 2. One at a time.
class LastLine {
 public:
  explicit LastLine(const std::string& prefix);
  ~LastLine();
  LastLine(const LastLine&) = delete;
  LastLine& operator=(const LastLine&) = delete;

 private:
  std::array<void (*)(int), 2> before_{};  ///< handlers of SIGABRT and SIGSEGV
};

}  // namespace busbar
