// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "reports/import/bandwidths.hpp"
#include "reports/import/importer.hpp"
#include "reports/import/nccl/nccl_log.hpp"
#include "reports/import/nccl/nccl_program.hpp"

/// How many ranks a job had, by everything that its log tells: the list of ranks, the launcher's options, the batch
/// system's lines, busbw/algbw.
namespace busbar {

/// What a log tells of the number of ranks.
struct RankEvidence {
  int listed = 0;                      ///< distinct ranks in its list
  int highest = 0;                     ///< highest of them, plus 1
  std::optional<int> by_launcher;      ///< -np or -n of mpirun or srun, times the GPUs of a process
  std::optional<int> by_batch;         ///< tasks of the allocation, times the GPUs of a process
  std::string batch_line;              ///< "SLURM_NTASKS=8 (line 3)"
  std::optional<RankRange> by_factor;  ///< empty if the factor does not depend on the ranks, or rows disagree
};

[[nodiscard]] RankEvidence rank_evidence(const NcclLog&, const NcclJob&, const NcclProgram&);

/// A number of ranks, and what a reader must know of it.
struct RankCount {
  int ranks = 0;                    ///< 0: nothing tells it
  std::vector<std::string> doubts;  ///< "32 ranks taken: the list has 31 of 32 ranks"
};

/// The number that the user states; else the one that most sources tell. Throws UsageError with all of them where two
/// numbers have as many.
[[nodiscard]] RankCount count_ranks(const ImportRequest&, const RankEvidence&);

/// Ranks and nodes of the whole job. What the user states wins; `doubts` gets what disagrees. Throws UsageError if
/// nothing tells the number of ranks.
[[nodiscard]] NcclLayout job_layout(const ImportRequest&, const NcclJob&, const RankCount&,
                                    std::vector<std::string>& doubts);

}  // namespace busbar
