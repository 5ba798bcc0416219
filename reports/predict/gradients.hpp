// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/predict/prediction.hpp"
#include "reports/runs/experiments.hpp"
#include "workloads/networks/fusion.hpp"
#include "workloads/networks/model.hpp"

/// Gradients of a training, their buckets, and how much of their exchange a step waits for.
namespace busbar::predict {

/// Bytes of an element. Throws UsageError naming --gradients if the type is unknown.
[[nodiscard]] std::uint64_t bytes_of(std::string_view type);

/// What a training exchanges, and how long its backward pass is.
struct Gradients {
  std::vector<Gradient> all;  ///< in the order in which backward produces them
  double elements = 0;
  double backward = 0;        ///< fraction of compute time
  std::string type;           ///< element type, if recorded
  std::string source;         ///< of the number of elements, as text
  FusionLimits fusion;        ///< sizes that close a bucket
  std::string fusion_source;  ///< as text
};

/// From the record, else from `model_file`, else from the shipped model of that name. Buckets as in `fusion`, else as
/// in the record, else as PyTorch's. Throws UsageError if the number of gradients is unknown.
[[nodiscard]] Gradients gradients_of(const report::Experiment&, const std::string& model_file,
                                     const std::optional<FusionLimits>& fusion);

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
