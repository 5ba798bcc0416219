// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/job/options.hpp"

namespace busbar::preflight {

/// What the command line of busbar-preflight asks for.
struct Options {
  double timeout_s = 20;           ///< of each stage
  bool json = false;               ///< JSON Lines on standard output in place of text
  std::optional<std::string> out;  ///< file that gets the same JSON Lines
  bool overwrite = false;          ///< --out may replace a file
  bool strict = false;             ///< warnings count as failures
  bool ssh = false;                ///< try the remote shell from each host to each other
  std::vector<std::string> hosts;  ///< without a launcher: start the job on these
  int ranks_per_host = 1;
  std::vector<std::string> mpirun;  ///< more words for mpirun
  bool anonymise = false;           ///< names of machines become aliases: core/anonymiser.hpp
  bool announce = false;            ///< each rank says that it has started: for the program that started mpirun
};

/// Throws UsageError with one line that names the flag and what it accepts.
[[nodiscard]] std::variant<Options, Information> parse_options(const std::vector<std::string>& arguments);

}  // namespace busbar::preflight
