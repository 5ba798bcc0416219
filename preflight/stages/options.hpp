// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/job/options.hpp"

namespace busbar::preflight {

/// Command line options of busbar-preflight.
struct PreflightOptions {
  double timeout_s = 20;           ///< limit per stage
  bool json = false;               ///< print JSON Lines instead of text
  std::optional<std::string> out;  ///< file for JSON Lines
  bool overwrite = false;          ///< --out may replace a file
  bool strict = false;             ///< warnings count as failures
  bool ssh = false;                ///< test the remote shell between hosts
  std::vector<std::string> hosts;  ///< start the job on these hosts, without a launcher
  int ranks_per_host = 1;
  std::vector<std::string> mpirun;  ///< additional mpirun options
  bool anonymise = false;           ///< replace machine names by aliases: core/journal/anonymiser.hpp
  bool announce = false;            ///< each rank prints a "started" record, for the process that runs mpirun
};

/// Throws UsageError: one line with the flag and the accepted values.
[[nodiscard]] std::variant<PreflightOptions, Information> parse_options(const std::vector<std::string>& arguments);

}  // namespace busbar::preflight
