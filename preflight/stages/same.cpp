// SPDX-License-Identifier: Apache-2.0
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

}  // namespace busbar::preflight
