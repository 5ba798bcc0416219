// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <csignal>
#include <string>

namespace busbar {

/// For some invalid platforms and settings, SimGrid prints an error with a backtrace and aborts or crashes. During this
/// object's lifetime only its first line is shown, after `prefix`, and the process exits with code 2. One at a time.
class LastLine {
 public:
  explicit LastLine(const std::string& prefix);
  ~LastLine();
  LastLine(const LastLine&) = delete;
  LastLine& operator=(const LastLine&) = delete;

 private:
  std::array<struct sigaction, 2> before_{};  ///< of SIGABRT and SIGSEGV
};

}  // namespace busbar
