// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/base/build_info.hpp"

namespace busbar {

/// One launch of several that are one measurement (`busbar repeat`): stands in front of what it left.
struct LaunchRecord {
  int schema = schema_version;
  int command = 1;  ///< which of the commands that alternate, from 1
  int number = 1;   ///< of the launches of that command, from 1
  std::vector<std::string> argv;
  std::string ended;  ///< itself, time limit, interrupted, not started
  int exit_code = 0;  ///< 128 and the signal's number where one killed it
  double wall_s = 0;  ///< from the start of its launcher to its end
};

}  // namespace busbar
