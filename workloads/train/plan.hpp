// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/elements/dtype.hpp"
#include "core/job/layout.hpp"
#include "core/record/case_key.hpp"

namespace busbar {

/// One point of the curve: one or more jobs with the same number of ranks, run side by side.
struct TrainCase {
  CaseKey key;
  int batch = 0;                       ///< samples per rank and update
  double samples = 0;                  ///< samples per job and update
  std::string sample;                  ///< name of a sample: "image", "sequence"
  std::vector<std::vector<int>> jobs;  ///< each job's ranks, numbered within the MPI job
};

/// Common properties of a curve's points, and their placement.
struct Curve {
  CaseKey key;                        ///< without ranks and nodes
  std::vector<std::string> overlaps;  ///< kinds of exchange, one curve each; empty: the key's
  std::vector<int> scale;             ///< rank counts; empty: 1, 2, 4, ... and all
  std::vector<NodesByRanks> layouts;  ///< layouts to measure instead of a scale; empty: none
  std::string sample = "image";
  int jobs = 1;  ///< above 1: also measures that many jobs side by side
};

/// Cases of a curve in increasing order, for ranks on these hosts: for each kind of exchange, one job alone, then
/// several side by side. One rank exchanges nothing, so it is measured only for the first kind. With layouts: one rank,
/// then each layout. Throws UsageError if there are too few ranks or the batch is not divisible.
[[nodiscard]] std::vector<TrainCase> make_plan(const Curve& curve, const std::vector<int>& hosts);

/// Order in which groups use the ranks: "packed" fills host after host, "spread" alternates between hosts.
[[nodiscard]] std::vector<int> order_of(const std::vector<int>& hosts, const std::string& layout);

}  // namespace busbar
