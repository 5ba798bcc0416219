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

/// The rounds of a case, and of the cases that it is held against. In each round all cases were measured, so that
/// rounds of two cases are pairs.
struct Measured {
  const TrainCase& plan;
  std::span<const TrainRound> rounds;
  const TrainCase& baseline;  ///< the smallest group, alone
  std::span<const TrainRound> baseline_rounds;
  std::span<const TrainRound> alone_rounds;  ///< several jobs: of one of them alone; else empty
};

/// Samples per second of all jobs together, round by round.
[[nodiscard]] std::vector<double> rates(const TrainCase& plan, std::span<const TrainRound> rounds);

/// `record.training` is there and holds what is known beside the rounds. Fills in what they say: time, interval,
/// samples, statistics, remarks, rate, scaling, split, slow ranks, jobs. An efficiency above 1, beyond doubt, is
/// remarked on.
void summarise(CaseRecord& record, const Measured& measured, std::span<const StopRule> rules, double confidence,
               const std::vector<RankPlace>& places);

/// Ranks that compute at least 10 % longer than the median rank, in the median over rounds, and longer than it in at
/// least three quarters of the rounds. `compute_s`: a row a round, a column a rank. Gives columns.
[[nodiscard]] std::vector<std::size_t> slow_ranks(std::span<const std::vector<double>> compute_s);

/// In words, where the ranks of a job do not hold the same state after a round: "rank 3 ... than rank 0"; else empty.
[[nodiscard]] std::optional<std::string> difference(const TrainCase& plan, const TrainRound& round);

}  // namespace busbar
