// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace busbar::pipeline {

/// The layers of a stage, as indices: [begin, end).
struct StageLayers {
  std::size_t begin = 0, end = 0;
  bool operator==(const StageLayers&) const = default;
};

/// Cuts layers into `stages` stages of at least one layer each, so that the stage that takes longest takes as little as
/// it can: it is what a pipeline goes by. `layer_costs_s`: seconds of each layer on one micro-batch, forward and
/// backward together, not negative. `may_cut_after`: whether a stage may end with that layer; as long as the costs, the
/// last is not looked at. Exact, by dynamic programming over the number of stages and their end: O(stages x layers^2).
/// Of several best divisions it is always the same one.
///
/// Throws UsageError, with the number of possible cuts, where `stages` is below 1 or more than they allow; Error where
/// the two arguments are not equally long.
[[nodiscard]] std::vector<StageLayers> divide(std::span<const double> layer_costs_s,
                                              const std::vector<bool>& may_cut_after, int stages);

}  // namespace busbar::pipeline
