// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/elements/dtype.hpp"
#include "core/job/layout.hpp"
#include "core/record/case_key.hpp"

namespace busbar {

/// One point of the curve: jobs of equally many ranks, side by side.
struct TrainCase {
  CaseKey key;
  int batch = 0;                       ///< samples that pass through a rank between two updates
  double samples = 0;                  ///< of a job between two updates
  std::string sample;                  ///< what a sample is called
  std::vector<std::vector<int>> jobs;  ///< ranks of the whole job that mpirun started
};

/// What the points of a curve have in common, and where they lie.
struct Curve {
  CaseKey key;                        ///< without ranks and nodes
  std::vector<std::string> overlaps;  ///< kinds of exchange, each a curve of its own; empty: that of the key
  std::vector<int> scale;             ///< ranks of a training; empty: 1, 2, 4, ... and all
  std::vector<NodesByRanks> layouts;  ///< parts of the job of these shapes, in place of a scale; empty: none
  std::string sample = "image";
  int jobs = 1;  ///< more than 1: also so many side by side
};

/// The cases of a curve over ranks on these hosts, in growing order: one job alone, then several side by side, for each
/// kind of exchange; one rank, which exchanges nothing, only for the first. Of layouts: one rank, then each of them.
/// Throws UsageError where there are too few ranks, or a batch cannot be divided.
[[nodiscard]] std::vector<TrainCase> make_plan(const Curve& curve, const std::vector<int>& hosts);

/// All ranks in the order in which groups take them: packed fills host after host, spread takes one of each in turn.
[[nodiscard]] std::vector<int> order_of(const std::vector<int>& hosts, const std::string& layout);

}  // namespace busbar
