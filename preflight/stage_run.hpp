// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "preflight/report.hpp"
#include "preflight/stages/run.hpp"

namespace busbar::preflight {

/// Collective. Stage after stage: gathers, judges on rank 0, writes, and goes on or ends. Gives the exit code, the same
/// on every rank. Ends the job where ranks do not answer or MPI fails. `report`: on rank 0 only.
[[nodiscard]] int run_stages(Run& run, Identity mine, Report* report);

/// Before MPI_Init, by each rank for itself: what would keep MPI from starting. Empty: nothing that can be seen.
[[nodiscard]] std::vector<nlohmann::json> judge_alone(const Identity& mine);

}  // namespace busbar::preflight
