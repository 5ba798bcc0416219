// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/command_line/command_line.hpp"
#include "reports/compare/comparison.hpp"

namespace busbar::compare {

/// What `compare` and `gate` take alike, as it was typed.
struct CommonOptions {
  std::string margin = "2%";
  std::string confidence = "95%";
  std::string launch_spread = "10%";
  bool as_measured = false;
  std::string metric;
  std::vector<std::string> across;
};

void add_common_options(CommandLine&, CommonOptions&);

/// Throws UsageError, naming the flag.
[[nodiscard]] Options options_of(const CommonOptions&);

/// 0.05 for "5%", "5 %" and "0.05"; between `low` and `high`. Throws UsageError, naming the flag.
[[nodiscard]] double parse_share(std::string_view flag, const std::string& text, double low, double high);

}  // namespace busbar::compare
