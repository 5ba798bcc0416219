// SPDX-License-Identifier: Apache-2.0
#include "preflight/read/read.hpp"
#include "preflight/stages/parts.hpp"

namespace busbar::preflight {

void gather_gpu(Run& run) {
  run.alarm.at("querying NVML and the CUDA driver for its GPU");
  run.own_gpu = read_gpu(own_place(run).place);
  gather(run, &RankFacts::gpu, run.own_gpu);
}

}  // namespace busbar::preflight
