// SPDX-License-Identifier: Apache-2.0
// Stages in which each rank only reads facts about itself.
#include "core/mpi/group.hpp"
#include "core/record/software.hpp"
#include "preflight/read/read.hpp"
#include "preflight/stages/parts.hpp"

namespace busbar::preflight {

void gather_same(Run& run) {
  run.alarm.at("querying library versions");
  Versions mine = read_versions();
  mine.mpi = mpi_facts().library;
  gather(run, &RankFacts::versions, mine);
}

void gather_binding(Run& run) {
  run.alarm.at("reading its CPU affinity");
  gather(run, &RankFacts::place, read_place());
}

void gather_gpu(Run& run) {
  run.alarm.at("querying NVML and the CUDA driver for its GPU");
  run.own_gpu = read_gpu(own_place(run).place);
  gather(run, &RankFacts::gpu, run.own_gpu);
}

}  // namespace busbar::preflight
