// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <optional>
#include <vector>

#include "workloads/compute/compute.hpp"
#include "workloads/exchange/exchange.hpp"

namespace busbar {

/// Breakdown of a rank's wall time, in seconds.
struct StepTimes {
  double step_s = 0;
  double forward_s = 0, backward_s = 0;  ///< compute
  double exposed_s = 0;                  ///< this thread communicates or waits for communication
  double optimiser_s = 0;
  double communicating_s = 0;  ///< a reduction was in progress, exposed or hidden
  StepTimes& operator+=(const StepTimes& more);
};
inline constexpr std::array parts_of_step{&StepTimes::step_s,    &StepTimes::forward_s,   &StepTimes::backward_s,
                                          &StepTimes::exposed_s, &StepTimes::optimiser_s, &StepTimes::communicating_s};

/// One rank of data-parallel training: a full replica, trained on the rank's own samples (S. Li et al.: PyTorch
/// Distributed, VLDB 2020; A. Sergeev, M. Del Balso: Horovod, 2018).
class Replica {
 public:
  /// `reducer` is null if the rank trains alone. Each update follows `micro_batches` passes with accumulated gradients.
  /// All references must outlive it.
  Replica(Compute& compute, int micro_batches, Reducer* reducer, const ExchangeKind& kind, std::vector<Bucket> buckets);

  /// Runs one step, i.e. one weight update. Collective over the reducer's ranks.
  StepTimes step();
  /// Mean over the last step's micro-batches; empty if nothing is computed.
  [[nodiscard]] std::optional<double> loss() const { return loss_; }
  /// Exchanges gradients with a known mean and returns the first wrong one of this rank's share. Collective over the
  /// reducer's ranks.
  struct Wrong {
    std::size_t index = 0;
    float found = 0, expected = 0;
  };
  [[nodiscard]] std::optional<Wrong> verify(int rank);
  /// State that must be identical on all ranks after a step: the weights, or the gradients if there are no weights.
  [[nodiscard]] std::span<float> state();

 private:
  [[nodiscard]] std::span<float> parameters();
  void backward(StepTimes& times, int micro_batch);
  void add_up(std::size_t begin, std::size_t end, int micro_batch);
  void update(StepTimes& times);

  Compute& compute_;
  const int micro_batches_;
  Reducer* reducer_;
  const std::vector<Bucket> buckets_;
  std::unique_ptr<Exchange> exchange_;  // null: trains alone
  std::vector<float> sum_;              // gradients accumulated over several micro-batches
  std::optional<double> loss_;
};

}  // namespace busbar
