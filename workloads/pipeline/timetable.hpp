// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "workloads/pipeline/schedule.hpp"

namespace busbar::pipeline {

/// When a stage computes an operation, without its waiting for what the operation needs. Seconds since an origin that
/// all stages of a timetable share.
struct TimedOperation {
  Operation operation;
  double start_s = 0, end_s = 0;
};

/// What the stages of a pipeline do in one step, each in the order of its operations: simulated, or measured where all
/// stages read one clock, which means on one host.
struct Timetable {
  std::vector<std::vector<TimedOperation>> stages;

  /// The first start and the last end of any stage. 0 where there are no operations.
  [[nodiscard]] double start_s() const;
  [[nodiscard]] double end_s() const;
  [[nodiscard]] double makespan_s() const { return end_s() - start_s(); }
};

/// The share of `step_s` seconds in which a stage computes none of its operations: 0 to 1. 0 for a step of no length.
///
/// Needs no clock but the stage's own. So this is the way to a bubble over several hosts, whose clocks differ: take
/// each stage's seconds from its leaving a barrier before the step to its leaving one after it as `step_s`, and the
/// mean of the shares of all stages as the bubble.
[[nodiscard]] double idle_share(std::span<const TimedOperation> stage, double step_s);

/// The share of all stages' time, from the first start to the last end, in which they compute nothing: the mean of
/// their idle shares. Stages that take equally long, with no time between them, have (p - 1) / (m + p - 1) of it for p
/// stages and m micro-batches, with either schedule (Narayanan et al., SC 2021, give its ratio to the rest: (p - 1) /
/// m).
[[nodiscard]] double bubble(const Timetable& table);

/// Seconds that a stage computes on one micro-batch; not negative.
struct StageTimes {
  double forward_s = 0, backward_s = 0;
};

/// The timetable in which every stage runs its operations in order, each as soon as it can: forward needs the forward
/// pass of the stage before, backward the stage's own forward and the backward pass of the stage behind, and what comes
/// from another stage arrives `transfer_s` after it is computed. Transfers cost the stages no time and do not hinder
/// each other. Starts at 0. Throws Error, naming a stage and its operation, where a schedule cannot be run to its end,
/// or where `times` are not those of as many stages.
[[nodiscard]] Timetable simulate(const Schedule& schedule, std::span<const StageTimes> times, double transfer_s);

}  // namespace busbar::pipeline
