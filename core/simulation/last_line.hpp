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

/// From now on a signal ends the process at once, with one line. SIGINT and SIGTERM: exit code 130; a call under way
/// can take minutes. SIGSEGV, SIGBUS, SIGABRT: exit code 3; some algorithms of SMPI crash. The record keeps the cases
/// that have ended. Call it after the Engine is made, which has handlers of its own.
void end_at_once_on_signals(const std::string& program);

}  // namespace busbar
