// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/group.hpp"
#include "core/record.hpp"
#include "core/telemetry.hpp"

namespace busbar {

/// Collective. Where a rank of a host measures with a GPU, the first rank of that host asks NVML for facts of its GPUs
/// (core/nvml/facts.hpp), which then stand in `run.hosts` on every rank; where NVML cannot be used, `run.notes` says
/// why. Nothing is opened on other hosts. `hosts`: of each rank, as an index into `run.hosts`.
void add_gpu_facts(Group& group, const std::vector<int>& hosts, bool measures_with_gpu, RunRecord& run);

/// Collective. Every rank tells what its GPU did while the case was measured. Fills in `telemetry`, a row a rank, and
/// `throttled` on every rank; both stay empty where no rank has a GPU that was read.
void add_telemetry(Group& group, const GpuTelemetry& mine, CaseRecord& record);

}  // namespace busbar
