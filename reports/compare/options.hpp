// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/command_line/command_line.hpp"
#include "reports/compare/comparison.hpp"

namespace busbar::compare {

/// ComparisonOptions shared by `compare` and `gate`, as typed.
struct CommonOptions {
  std::string margin = "2";
  std::string confidence = "95";
  std::string launch_spread = "10";
  bool as_measured = false;
  std::string metric;
  std::vector<std::string> across;
};

void add_common_options(CommandLine&, CommonOptions&);

/// Throws UsageError, naming the flag.
[[nodiscard]] ComparisonOptions options_of(const CommonOptions&);

}  // namespace busbar::compare
