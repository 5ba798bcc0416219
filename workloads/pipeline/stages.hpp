// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace busbar::pipeline {

/// Layer indices of a stage: [begin, end).
struct StageLayers {
  std::size_t begin = 0, end = 0;
  bool operator==(const StageLayers&) const = default;
};

/// Cuts layers into `stages` stages of at least one layer each and minimises the time of the slowest stage, which
/// bounds a pipeline's throughput. `layer_costs_s`: non-negative seconds per layer and micro-batch, forward plus
/// backward. `may_cut_after`: whether a stage may end with that layer; same length as the costs, last entry ignored.
/// Exact, by dynamic programming over stages and borders: O(stages x layers^2). Deterministic if several divisions are
/// optimal.
///
/// Throws UsageError with the number of possible cuts if `stages` is below 1 or too large; Error if the arguments
/// differ in length.
[[nodiscard]] std::vector<StageLayers> divide(std::span<const double> layer_costs_s,
                                              const std::vector<bool>& may_cut_after, int stages);

}  // namespace busbar::pipeline
