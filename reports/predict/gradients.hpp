// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/predict/bucket_overlap.hpp"
#include "reports/runs/experiments.hpp"

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

}  // namespace busbar::predict
