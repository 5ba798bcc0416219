// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/job/guard/status.hpp"

namespace busbar::guarding {

/// What the guards together know when the job is ended.
struct Evidence {
  std::vector<Diagnosis> findings;   ///< one at least, in the order in which they were heard of
  std::map<int, Status> statuses;    ///< by rank, of all that could be asked
  std::map<int, std::string> hosts;  ///< of all ranks that were heard of at any time
  int ranks = 1;                     ///< of the job
};

/// What is said of it.
struct Verdict {
  Trouble trouble = Trouble::expired;
  std::string headline;            ///< what happened, where, and who is to be looked at
  std::vector<std::string> lines;  ///< where each rank was, ranks at the same place together
};

[[nodiscard]] Verdict find_verdict(const Evidence&);

/// "0, 2-511" for ascending numbers.
[[nodiscard]] std::string rank_list(std::span<const int> ranks);

}  // namespace busbar::guarding
