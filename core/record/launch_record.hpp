// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/build_info.hpp"
#include "core/base/enum_words.hpp"

namespace busbar {

/// Why a launch ended.
enum class LaunchEnd {
  itself,  ///< see its exit code
  time_limit,
  interrupted,  ///< by a signal
  not_started,  ///< there is no such program
};
[[nodiscard]] constexpr auto words_of(LaunchEnd) {
  return std::to_array<std::string_view>({"itself", "time limit", "interrupted", "not started"});
}

/// One of several launches that form one measurement (`busbar repeat`). Its line precedes what the launch wrote.
struct LaunchRecord {
  int schema = schema_version;
  int command = 1;  ///< which of the alternating commands, from 1
  int number = 1;   ///< launch of that command, from 1
  std::vector<std::string> argv;
  LaunchEnd ended = LaunchEnd::itself;
  int exit_code = 0;  ///< 128 plus the signal's number if a signal killed it
  double wall_s = 0;  ///< from the start to the end of its launcher
};

}  // namespace busbar
