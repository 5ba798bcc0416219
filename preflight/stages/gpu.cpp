// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "preflight/read/read.hpp"
#include "preflight/stages/parts.hpp"

namespace busbar::preflight {

void gather_gpu(Run& run) {
  run.alarm.at("asking NVML and CUDA's driver for its GPU");
  const auto ranks = ranks_of(run.facts, run.host());
  const auto place = std::ranges::find(ranks, run.roll.rank()) - ranks.begin();
  gather(run, &RankFacts::gpu, read_gpu(static_cast<int>(place)));
}

}  // namespace busbar::preflight
