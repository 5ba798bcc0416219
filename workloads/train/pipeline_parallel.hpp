// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "workloads/compute/replay.hpp"
#include "workloads/pipeline/schedule.hpp"
#include "workloads/pipeline/timetable.hpp"
#include "workloads/train/trainee.hpp"

namespace busbar {

/// The layers are divided among the ranks as evenly as the profile's cuts allow, a stage each; the batch passes through
/// them in micro-batches, of which each takes its share of the profile's time. `profile` outlives the result, which
/// throws UsageError where there are fewer cuts than stages need.
[[nodiscard]] MakeTrainee pipeline_parallel(const Profile& profile, const pipeline::ScheduleKind& schedule, Pace pace);

/// The operations of a record as a timetable, to be drawn.
[[nodiscard]] pipeline::Timetable timetable_of(const Pipeline& pipeline);

}  // namespace busbar
