// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "preflight/report.hpp"
#include "preflight/stages/run.hpp"

namespace busbar::preflight {

/// Collective over the job. For each stage: gathers facts, runs the checks and reports on rank 0, then continues or
/// ends. Returns the common exit code. Ends the job if ranks do not answer or MPI fails. `report`: on rank 0 only.
[[nodiscard]] int run_stages(Run& run, Report* report);

/// Problems that would prevent MPI from starting, found on each rank before MPI_Init. Empty: none.
[[nodiscard]] std::vector<nlohmann::json> judge_alone(const Identity& mine);

}  // namespace busbar::preflight
