// SPDX-License-Identifier: Apache-2.0
#include "preflight/read/read.hpp"
#include "preflight/stages/parts.hpp"

namespace busbar::preflight {

void gather_binding(Run& run) {
  run.alarm.at("reading its CPU affinity");
  gather(run, &RankFacts::place, read_place());
}

}  // namespace busbar::preflight
