// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/job/guard/status.hpp"

namespace busbar::guarding {

/// All that the guards know when they end the job.
struct Evidence {
  std::vector<Diagnosis> findings;   ///< at least one, in order of arrival
  std::map<int, Status> statuses;    ///< by rank, of all guards that answered
  std::map<int, std::string> hosts;  ///< of all ranks that ever reported
  int ranks = 1;                     ///< size of the job
};

/// Conclusion from the evidence, for users.
struct Verdict {
  Trouble trouble = Trouble::expired;
  std::string headline;            ///< what happened, where, and which ranks to examine
  std::vector<std::string> lines;  ///< position of each rank, grouped
};

[[nodiscard]] Verdict find_verdict(const Evidence&);

/// "0, 2-511" for ascending numbers.
[[nodiscard]] std::string rank_list(std::span<const int> ranks);

}  // namespace busbar::guarding
