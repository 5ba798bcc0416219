// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/method.hpp"
#include "reports/import/bandwidths.hpp"
#include "reports/import/importer.hpp"
#include "reports/import/nccl/nccl_log.hpp"

namespace busbar {

/// The program that ran, and the source of that information.
struct NcclProgram {
  std::string collective;
  std::string told_by;                    ///< "--collective", "the log", "the file's name", or what it is inferred from
  bool inferred = false;                  ///< from the rows, the only collective that they fit
  std::vector<std::string> argv;          ///< from the program on; empty if not in the log
  std::vector<std::string> doubts = {};   ///< what speaks against it
  std::vector<std::string> command = {};  ///< all words of the line that names it, launcher included
  int line = 0;                           ///< of that line
};

/// The program of a job. Throws UsageError if its collective is unknown, naming those that fit its rows.
[[nodiscard]] NcclProgram nccl_program(const ImportRequest&, const NcclLog&, const NcclJob&);

/// What speaks against a collective in the rows: "no row has a root". Empty if nothing does.
[[nodiscard]] std::string contradiction_of_rows(const NcclJob&, std::string_view collective);

/// Both bandwidths of each half that has both.
[[nodiscard]] std::vector<BandwidthPair> bandwidth_pairs(const NcclJob&);

/// Value of a short or long command-line option: "-a 1", "-a1", "--average 1", "--average=1".
[[nodiscard]] std::optional<std::string> nccl_option(const std::vector<std::string>& argv, std::string_view brief,
                                                     std::string_view full);

/// Rank rule for nccl-tests' -a: which rank's time is reported.
[[nodiscard]] RankRule nccl_rank_rule(const std::vector<std::string>& argv);

}  // namespace busbar
