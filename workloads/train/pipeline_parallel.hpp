// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "workloads/compute/replay.hpp"
#include "workloads/pipeline/schedule.hpp"
#include "workloads/pipeline/timetable.hpp"
#include "workloads/train/trainee.hpp"

namespace busbar {

/// Pipeline parallelism: divides the layers among the ranks as evenly as the profile's cuts allow, one stage each. Each
/// micro-batch takes its share of the profile's time. `profile` must outlive the result, which throws UsageError if the
/// profile has too few cuts.
[[nodiscard]] MakeTrainee pipeline_parallel(const Profile& profile, const pipeline::ScheduleKind& schedule, Pace pace);

/// Converts a record's operations to a timetable for drawing.
[[nodiscard]] pipeline::Timetable timetable_of(const Pipeline& pipeline);

}  // namespace busbar
