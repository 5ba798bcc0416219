// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace busbar {

/// Decides how many more samples a case takes. A pure object: it is told what was taken and how long it took, and knows
/// no clock and no ranks. Rank 0 asks it between batches and tells the others.
struct StopRule {
  int min_samples = 20;
  int max_samples = 1000;
  double budget_s = 0.25;  ///< taking samples ends when it is used up, but not below min_samples

  /// Exactly n samples.
  [[nodiscard]] static StopRule fixed(int n) { return {.min_samples = n, .max_samples = n, .budget_s = 0}; }

  /// Size of the next batch after `taken` samples took `elapsed_s`; 0: done.
  [[nodiscard]] int next_batch(int taken, double elapsed_s) const;
  /// What ended a case that has `taken` samples: "count" (the number was fixed), "max_samples" or "time_budget".
  [[nodiscard]] std::string_view ended_by(int taken) const;
};

}  // namespace busbar
