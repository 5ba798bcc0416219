// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

/// What busbar-preflight found, from its output (docs/preflight.md).
namespace busbar::suite {

struct PreflightFinding {
  std::string stage, check;  ///< "binding", "unbound"
  bool failed = false;       ///< else a warning
  std::string read;          ///< what was read: "2 of 2 ranks may run on all CPUs"
  std::vector<std::string> hosts;
  std::string advice;
};

/// Warnings and failures in the order of the file; a file that cannot be read has none. Lines that are not its JSON
/// are skipped.
[[nodiscard]] std::vector<PreflightFinding> read_preflight_findings(const std::filesystem::path& file);

}  // namespace busbar::suite
