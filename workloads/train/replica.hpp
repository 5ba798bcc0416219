// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <vector>

#include "workloads/compute/compute.hpp"
#include "workloads/exchange/exchange.hpp"

namespace busbar {

/// Where the wall time of steps went on one rank, in seconds.
struct StepTimes {
  double step_s = 0;
  double forward_s = 0, backward_s = 0;  ///< computing
  double exposed_s = 0;                  ///< this thread communicates, or waits for it
  double optimiser_s = 0;
  double communicating_s = 0;  ///< a reduction was under way, exposed or not
  StepTimes& operator+=(const StepTimes& more);
};

/// One of the ranks that train a model together, each on samples of its own (S. Li et al.: PyTorch Distributed, VLDB
/// 2020; A. Sergeev, M. Del Balso: Horovod, 2018).
class Replica {
 public:
  /// Without a reducer it trains alone. `micro_batches` are computed before each update, their gradients added up. All
  /// that is referred to outlives this.
  Replica(Compute& compute, int micro_batches, Reducer* reducer, const ExchangeKind& kind, std::vector<Bucket> buckets);

  /// One update of the weights. Collective over the reducer's ranks.
  StepTimes step();
  /// Mean of the last step's micro-batches; empty where nothing is computed.
  [[nodiscard]] std::optional<double> loss() const { return loss_; }
  /// Collective. Exchanges gradients whose mean is known; the first of this rank's share that is not: its index and
  /// value.
  struct Wrong {
    std::size_t index = 0;
    float found = 0, expected = 0;
  };
  [[nodiscard]] std::optional<Wrong> verify(int rank);
  /// What has to be the same on all ranks after a step: the weights, or where there are none the gradients.
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
  std::unique_ptr<Exchange> exchange_;  // none: trains alone
  std::vector<float> sum_;              // of gradients over micro-batches, where there are several
  std::optional<double> loss_;
};

}  // namespace busbar
