// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/job/ranks.hpp"
#include "core/machine/usage.hpp"
#include "core/ranks/group.hpp"
#include "core/record/fwd.hpp"
#include "core/record/telemetry.hpp"

namespace busbar {

/// Collective over the group. Gathers each rank's CPU usage of the case and finds contention per host, from all its
/// ranks. Sets `usage` and `contention`.
void add_usage(Group& group, const Usage& mine, const Ranks& ranks, CaseRecord& record);

/// Collective over the group. Gathers each rank's GPU telemetry of the case. Sets `telemetry`, one row per rank, and
/// `throttled` on every rank; both stay empty if no GPU was read.
void add_telemetry(Group& group, const GpuTelemetry& mine, CaseRecord& record);

}  // namespace busbar
