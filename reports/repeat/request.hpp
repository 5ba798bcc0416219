// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <optional>
#include <vector>

#include "reports/repeat/words.hpp"

namespace busbar::repeat {

/// The commands to launch, and when to stop.
struct Request {
  std::vector<Words> commands;     ///< run in alternation
  std::optional<int> launches;     ///< per command
  std::optional<double> within_s;  ///< total time limit
  std::optional<double> width;     ///< stop when the widest relative half-width is at most this
  std::filesystem::path out;
  bool resume = false;  ///< continue the record in `out`
};

}  // namespace busbar::repeat
