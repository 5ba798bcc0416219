// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/ranks/group.hpp"
#include "core/record/fwd.hpp"
#include "core/record/telemetry.hpp"

namespace busbar {

/// Collective. Every rank tells what its GPU did while the case was measured. Fills in `telemetry`, a row a rank, and
/// `throttled` on every rank; both stay empty where no rank has a GPU that was read.
void add_telemetry(Group& group, const GpuTelemetry& mine, CaseRecord& record);

}  // namespace busbar
