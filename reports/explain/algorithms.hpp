// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/record/case_key.hpp"
#include "core/record/fwd.hpp"
#include "core/statistics/interval.hpp"
#include "reports/compare/verdict.hpp"
#include "reports/explain/rule.hpp"

namespace busbar::explain {

/// An algorithm that is faster than the library's own choice in one case: the fastest of those that are.
struct FasterAlgorithm {
  CaseKey key;  ///< of the library's own choice
  std::string algorithm;
  double own_s = 0, time_s = 0;  ///< geometric means over launches
  double ratio = 1;              ///< own_s over time_s, above 1
  Interval interval;             ///< of the ratio
  std::size_t launches = 0;      ///< of the side that has fewer
  compare::Basis basis = compare::Basis::assumed;
  std::string choice;  ///< the library's own, "ring/simple/24"; empty if it did not report it
};

/// Algorithms compared with the library's own choice in the same launches, or in others of the same cases.
struct ComparedAlgorithms {
  std::vector<FasterAlgorithm> faster;  ///< by key
  std::vector<CaseKey> keys;            ///< of the own choice in all compared cases
  std::size_t comparisons = 0, disturbed = 0;
};

/// Compares all measured cases that differ in the algorithm only, by compare::estimate() and compare::set_verdicts():
/// one launch is compared with an assumed launch-to-launch spread, and all comparisons are corrected together.
[[nodiscard]] ComparedAlgorithms compare_algorithms(std::span<const Run* const> runs);

/// One finding per series, of the rule faster_algorithm.
[[nodiscard]] std::vector<Finding> findings_of(const ComparedAlgorithms&);

/// "2.10x faster (95 % interval 1.60 to 2.70, 6 launches)".
[[nodiscard]] std::string how_much_faster(const FasterAlgorithm&);

}  // namespace busbar::explain
