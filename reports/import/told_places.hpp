// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/record/case_key.hpp"
#include "core/record/fwd.hpp"
#include "reports/import/importer.hpp"

/// Ranks, nodes and collectives as stated by the user and by the log, and which of them counts.
namespace busbar {

/// How reliable a source is: an allocation may be larger than the job, a command may not be the one that ran.
enum class Trust { batch, command, output };

/// A number of ranks or nodes, and where the log says so.
struct SizeClaim {
  int number = 0;
  std::string source;  ///< "SLURM_NTASKS=8 (line 3)", "'world_size'"
  Trust trust = Trust::output;
};

/// The number of ranks: --ranks, else that of the most reliable claims; empty if there is none. `doubts` gets a warning
/// of each claim that differs, and of a number that only a command or an allocation says. Throws UsageError if claims
/// that are equally reliable differ.
[[nodiscard]] std::optional<int> settle_ranks(const ImportRequest&, const std::vector<SizeClaim>&,
                                              std::vector<std::string>& doubts);

/// The same for --nodes. Throws Contradiction if it is more than `ranks`.
[[nodiscard]] std::optional<int> settle_nodes(const ImportRequest&, const std::vector<SizeClaim>&, int ranks,
                                              std::vector<std::string>& doubts);

/// Throws Contradiction if --nodes is more than `ranks`.
void check_nodes(const ImportRequest&, int ranks);

/// Notes which numbers the user stated.
void note_stated(std::vector<std::string>& notes, const ImportRequest&);

/// Sets the hosts of a case from `nodes`, for logs that name none. They are those of all `ranks` of the request; a case
/// with fewer ranks gets its hosts only if there is one.
void tell_nodes(CaseKey&, const ImportRequest&);

/// For logs that name their collectives: throws UsageError if --collective is not among them.
void check_collective(const std::vector<CaseRecord>&, const ImportRequest&);

}  // namespace busbar
