// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/import/importer.hpp"
#include "reports/import/nccl/nccl_log.hpp"

namespace busbar {

/// What was run, and who says so.
struct NcclProgram {
  std::string collective;
  std::string told_by;            ///< "--collective", "the log", "the file's name"
  std::vector<std::string> argv;  ///< from the program on; empty where the log does not hold it
};

/// The program of a job. Throws UsageError where nothing says which collective it measures.
[[nodiscard]] NcclProgram nccl_program(const ImportRequest&, const NcclLog&, const NcclJob&);

/// Value of a short or long option on a command line: "-a 1", "-a1", "--average 1", "--average=1".
[[nodiscard]] std::optional<std::string> nccl_option(const std::vector<std::string>& argv, std::string_view brief,
                                                     std::string_view full);

/// nccl-tests' -a: which rank's time stands for all.
[[nodiscard]] std::string nccl_rank_rule(const std::vector<std::string>& argv);

}  // namespace busbar
