// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "reports/fit/fit.hpp"

/// Measurements that may narrow a prediction (next_runs.hpp).
namespace busbar::predict {

struct NewLaunch {
  fit::Scale scale;
  std::vector<std::uint64_t> sizes;  ///< bytes; empty: those measured
};

struct Candidate {
  std::string what;                 ///< "16 nodes", "one more launch on 8 nodes"
  std::vector<NewLaunch> launches;  ///< the largest scale last
  bool separates = false;           ///< readings may differ in the times that it measures
  bool allgather = false;           ///< an allgather at all measured scales, which shows the step of a ring

  /// Nodes of all launches.
  [[nodiscard]] double node_launches() const;
};

/// Numbers of nodes to measure next, ascending: doublings beyond the measured ones, those of `predicted`, half of the
/// smallest, and one between two that are a factor of four apart; none measured, and none near `target` or beyond it.
[[nodiscard]] std::vector<int> node_counts(const std::vector<fit::Scale>& measured, int target,
                                           const std::vector<int>& predicted);

/// Candidates for a fitted sweep whose largest predicted number of nodes is `target`: other numbers of nodes; one more
/// launch on the smallest and on the largest measured one; sizes between those of regions with few; and an allgather,
/// if no collective beside (`others`) shows what a ring's step takes.
[[nodiscard]] std::vector<Candidate> candidates_of(const fit::SweepFit&, const std::vector<fit::SweepFit>& others,
                                                   int target, const std::vector<int>& predicted);

}  // namespace busbar::predict
