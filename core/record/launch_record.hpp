// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/base/build_info.hpp"

namespace busbar {

/// One of several launches that form one measurement (`busbar repeat`). Its line precedes what the launch wrote.
struct LaunchRecord {
  int schema = schema_version;
  int command = 1;  ///< which of the alternating commands, from 1
  int number = 1;   ///< launch of that command, from 1
  std::vector<std::string> argv;
  std::string ended;  ///< itself, time limit, interrupted, not started
  int exit_code = 0;  ///< 128 plus the signal's number if a signal killed it
  double wall_s = 0;  ///< from the start to the end of its launcher
};

}  // namespace busbar
