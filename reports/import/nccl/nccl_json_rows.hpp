// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "reports/import/json/lenient_json.hpp"
#include "reports/import/nccl/nccl_log.hpp"

/// Include only in .cpp files: needs nlohmann's full header.
namespace busbar {

/// State of parsing the rows of nccl-tests' "results".
struct NcclJsonRows {
  bool one_rank_a_process = false;  ///< process times are rank times
  std::vector<int> torn = {};       ///< rows without usable data, from 1
  int bad_samples = 0;              ///< halves with truncated or non-numeric iteration times
  int other_means = 0;              ///< halves whose iterations contradict the printed mean
};

/// Adds the rows of a result list to the job, with their iterations where present.
void add_results(NcclJob&, const nlohmann::json& results, NcclJsonRows&);

}  // namespace busbar
