// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "preflight/report.hpp"
#include "preflight/stages/run.hpp"

namespace busbar::preflight {

/// Collective. For each stage: gathers facts, judges and reports on rank 0, and goes on or ends. Gives the exit code,
/// the same on every rank. Ends the job if ranks do not answer or MPI fails. `report`: on rank 0 only.
[[nodiscard]] int run_stages(Run& run, Identity mine, Report* report);

/// Before MPI_Init, on each rank: problems that would prevent MPI from starting. Empty: none found.
[[nodiscard]] std::vector<nlohmann::json> judge_alone(const Identity& mine);

}  // namespace busbar::preflight
