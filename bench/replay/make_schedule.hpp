// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "bench/replay/schedule.hpp"
#include "bench/replay/trace.hpp"

namespace busbar::replay {

/// Plans the replay of traces by `ranks` ranks. One trace stands for all ranks: each rank makes its calls, over its own
/// groups of the same shape. Several traces: one for each rank. Pure, the same on every rank. Throws UsageError if the
/// traces do not fit this job or each other.
[[nodiscard]] Schedule make_schedule(const std::vector<Trace>& traces, int ranks, const ScheduleOptions& options);

}  // namespace busbar::replay
