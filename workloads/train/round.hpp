// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "workloads/networks/network.hpp"
#include "workloads/train/replica.hpp"

/// Results of one round of a case. Pure computation: no communication, no clock.
namespace busbar {

/// Seconds per kind of layer.
struct LayerSums {
  std::array<double, layer_kinds> forward_s{}, backward_s{};
  double reorder_s = 0;
  LayerSums& operator+=(const LayerSums& more);
};
[[nodiscard]] LayerSums operator-(const LayerSums& after, const LayerSums& before);

/// Results of one rank in a round of steps.
struct RankReport {
  double wall_s = 0;              ///< duration of all steps from a common start
  StepTimes times;                ///< summed over steps
  LayerSums layers;               ///< summed over steps
  double loss = 0;                ///< of the last step; NaN if nothing is computed
  double wrong = 0;               ///< 1: Trainee::verify() found an error
  std::uint64_t state = 0;        ///< hash of Trainee::state() after the last step
  std::vector<double> step_s;     ///< per step
  std::vector<double> compute_s;  ///< per step: forward and backward
};

/// Converts a report to doubles and back. Reports with the same number of steps have the same size.
[[nodiscard]] std::vector<double> to_numbers(const RankReport& report);
[[nodiscard]] RankReport to_report(std::span<const double> numbers);

/// Results of all ranks of a case.
struct TrainRound {
  double at_s = 0;                    ///< start, in seconds since the start of the run
  double step_s = 0;                  ///< wall time of the slowest rank divided by the number of steps
  std::vector<double> samples_s;      ///< per step, slowest rank
  std::vector<double> job_step_s;     ///< step_s per job
  StepTimes mean;                     ///< per step, mean over ranks and steps
  LayerSums layers;                   ///< per step, mean over ranks and steps
  std::vector<double> compute_s;      ///< forward plus backward per step: one per rank, in job order
  double slowest_compute_s = 0;       ///< the same of each step's slowest rank: mean over steps and jobs
  double loss = 0;                    ///< mean over ranks, of the round's last step
  std::vector<std::uint64_t> states;  ///< one per rank, in job order
};

/// `reports`: all ranks of the first job, then of the next; `ranks_per_job` each.
[[nodiscard]] TrainRound combine(std::span<const RankReport> reports, int ranks_per_job, double at_s);

}  // namespace busbar
