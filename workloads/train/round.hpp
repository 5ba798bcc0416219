// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "workloads/networks/network.hpp"
#include "workloads/train/replica.hpp"

/// What one round of a case came to. Pure: made of numbers, knows no ranks and no clock.
namespace busbar {

/// Seconds that layers took, by kind.
struct LayerSums {
  std::array<double, layer_kinds> forward_s{}, backward_s{};
  double reorder_s = 0;
  LayerSums& operator+=(const LayerSums& more);
};
[[nodiscard]] LayerSums operator-(const LayerSums& after, const LayerSums& before);

/// What one rank tells of a round of steps.
struct RankReport {
  double wall_s = 0;           ///< all steps, from a common start
  StepTimes times;             ///< summed over steps
  LayerSums layers;            ///< summed over steps
  double loss = 0;             ///< of the last step; NaN where nothing is computed
  double wrong = 0;            ///< 1: Trainee::verify() found something
  std::uint64_t state = 0;     ///< hash of Replica::state() after the last step
  std::vector<double> step_s;  ///< each step
};

/// A report as numbers, 8 bytes each, and back; reports of as many steps are as many numbers.
[[nodiscard]] std::vector<double> to_numbers(const RankReport& report);
[[nodiscard]] RankReport to_report(std::span<const double> numbers);

/// All ranks of a case.
struct TrainRound {
  double at_s = 0;                    ///< its start, since the start of the run
  double step_s = 0;                  ///< wall time of the slowest rank over its number of steps
  std::vector<double> samples_s;      ///< each step, slowest rank
  std::vector<double> job_step_s;     ///< as step_s, of each job
  StepTimes mean;                     ///< of a step, over ranks and steps
  LayerSums layers;                   ///< of a step, over ranks and steps
  std::vector<double> compute_s;      ///< of a step, forward and backward: each rank, in the order of the jobs
  double loss = 0;                    ///< mean over ranks, after the round's last step
  std::vector<std::uint64_t> states;  ///< each rank, in the order of the jobs
};

/// `reports`: of the ranks of all jobs, one job after the other, `ranks_per_job` of each.
[[nodiscard]] TrainRound combine(std::span<const RankReport> reports, int ranks_per_job, double at_s);

}  // namespace busbar
