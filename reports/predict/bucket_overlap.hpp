// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <vector>

#include "reports/predict/prediction.hpp"
#include "workloads/networks/fusion.hpp"
#include "workloads/networks/model.hpp"

/// Buckets of a training's gradients, and how much of their exchange a step waits for.
namespace busbar::predict {

/// What one reduction of a step sends, and when it can start.
struct GradientBucket {
  double bytes = 0;  ///< on the wire
  double ready = 0;  ///< fraction of the backward pass after which all of its gradients are there
};

[[nodiscard]] std::vector<GradientBucket> gradient_buckets(const std::vector<Gradient>&,
                                                           std::uint64_t bytes_per_element, FusionLimits);

/// Gradients of a model of which only their number is known: a hundred of one size, ready one after the other.
[[nodiscard]] std::vector<Gradient> equal_gradients(double elements);

/// Seconds after backward until all buckets are exchanged: one after the other in order, each as soon as it is ready
/// and the one before it is exchanged. `times_s`: of each bucket, as long as if it were alone. S. Li et al.: PyTorch
/// Distributed, VLDB 2020, section 3.2.
[[nodiscard]] double exposed_exchange_s(std::span<const GradientBucket>, std::span<const double> times_s,
                                        double backward_s);

/// The same for each limit of the times.
[[nodiscard]] Span exposed_exchange_s(std::span<const GradientBucket>, const std::vector<Span>& times_s,
                                      double backward_s);

}  // namespace busbar::predict
