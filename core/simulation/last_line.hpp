// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace busbar {

/// SimGrid says what is wrong with some platforms and settings on standard error, with a backtrace, and aborts. While
/// this lives, the first line of that is all that is seen, behind `prefix`, and the process ends with exit code 2. One
/// at a time.
class LastLine {
 public:
  explicit LastLine(const std::string& prefix);
  ~LastLine();
  LastLine(const LastLine&) = delete;
  LastLine& operator=(const LastLine&) = delete;

 private:
  void (*before_)(int);  ///< handler of SIGABRT
};

}  // namespace busbar
