// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/job/ranks.hpp"
#include "core/record/fwd.hpp"
#include "core/sampling/stop_rules.hpp"
#include "workloads/train/plan.hpp"
#include "workloads/train/round.hpp"

namespace busbar {

/// Rounds of a case and of the cases that it is compared with. Each round measures all cases, so rounds are paired.
struct Measured {
  const TrainCase& plan;
  std::span<const TrainRound> rounds;
  const TrainCase& baseline;  ///< the smallest group, running alone
  std::span<const TrainRound> baseline_rounds;
  std::span<const TrainRound> alone_rounds;  ///< if the case has several jobs: one of them alone; else empty
};

/// Samples per second over all jobs, one value per round.
[[nodiscard]] std::vector<double> rates(const TrainCase& plan, std::span<const TrainRound> rounds);

/// Fills in the record from the rounds: time, interval, samples, statistics, remarks, rate, scaling, split, slow ranks,
/// jobs, bubble. `record.training` must be set. Adds a remark if the efficiency is above 1 with statistical certainty.
void summarise(CaseRecord& record, const Measured& measured, std::span<const StopRule> rules, double confidence,
               const std::vector<RankPlace>& places);

/// Ranks whose compute time exceeds the median rank's by at least 10 % (median over rounds) and in at least three
/// quarters of the rounds. `compute_s`: one row per round, one column per rank. Returns column indices.
[[nodiscard]] std::vector<std::size_t> slow_ranks(std::span<const std::vector<double>> compute_s);

/// Message if the ranks of a job have different states after a round ("... rank 3 ... rank 0 ..."); empty if equal.
[[nodiscard]] std::optional<std::string> difference(const TrainCase& plan, const TrainRound& round);

}  // namespace busbar
