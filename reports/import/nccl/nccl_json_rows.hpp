// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "reports/import/json/lenient_json.hpp"
#include "reports/import/nccl/nccl_log.hpp"

/// For .cpp files only: it needs the full header of nlohmann's.
namespace busbar {

/// What the rows of nccl-tests' "results" are read with.
struct NcclJsonRows {
  bool one_rank_a_process = false;  ///< so that times of processes are those of ranks
  std::vector<int> torn = {};       ///< rows, from 1, of which nothing can be used
  int bad_samples = 0;              ///< halves whose iterations cannot be used: cut off, or no numbers
  int other_means = 0;              ///< halves whose iterations do not give the mean that stands beside them
};

/// Puts the rows of a list of results into the job, with their iterations where there are such.
void take_results(NcclJob&, const nlohmann::json& results, NcclJsonRows&);

}  // namespace busbar
