// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "workloads/pipeline/schedule.hpp"

namespace busbar::pipeline {

/// Compute interval of an operation, without the wait for its inputs. Seconds since an origin shared by all stages of a
/// timetable.
struct TimedOperation {
  Operation operation;
  double start_s = 0, end_s = 0;
};

/// Operations of all pipeline stages in one step, each stage in execution order. Simulated, or measured if all stages
/// read one clock, i.e. on one host.
struct Timetable {
  std::vector<std::vector<TimedOperation>> stages;

  /// First start and last end over all stages; 0 without operations.
  [[nodiscard]] double start_s() const;
  [[nodiscard]] double end_s() const;
  [[nodiscard]] double makespan_s() const { return end_s() - start_s(); }
};

/// Fraction of `step_s` seconds in which a stage is idle: 0 to 1; 0 if `step_s` is 0.
///
/// Needs only the stage's own clock, so it also works across hosts with different clocks. To get the bubble there, let
/// `step_s` be each stage's time from leaving a barrier before the step to leaving one after it, and average the shares
/// over all stages.
[[nodiscard]] double idle_share(std::span<const TimedOperation> stage, double step_s);

/// Idle fraction of all stages' time between the first start and the last end: the mean of their idle shares. For p
/// stages with equal times, m micro-batches and no transfer time, it is (p - 1) / (m + p - 1) with either schedule.
/// Narayanan et al. (SC 2021) give the ratio of idle to compute time instead: (p - 1) / m.
[[nodiscard]] double bubble(const Timetable& table);

/// Compute seconds of a stage per micro-batch; not negative.
struct StageTimes {
  double forward_s = 0, backward_s = 0;
};

/// Simulates each stage running its operations in order, each as early as possible. Forward needs the previous stage's
/// forward; backward needs the stage's own forward and the next stage's backward. Data from another stage arrives
/// `transfer_s` after it is computed; transfers overlap with compute and with each other. Starts at 0. Throws Error
/// that names a stage and its operation if the schedule deadlocks, or Error if `times` has another number of stages.
[[nodiscard]] Timetable simulate(const Schedule& schedule, std::span<const StageTimes> times, double transfer_s);

}  // namespace busbar::pipeline
