// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/record/fwd.hpp"
#include "reports/accept/profile.hpp"

/// Distances between distributions of times, and profiles learned by them.
///
/// Source: Y. Xiong et al.: SuperBench: Improving Cloud AI Infrastructure Reliability with Proactive Validation, USENIX
/// ATC 2024, section 4 (similarity of cumulative distributions; the most similar result as the criterion; results below
/// a threshold are left out, and the criterion is computed again). There the threshold is 95 % for all benchmarks.
namespace busbar::accept {

/// Number of quantiles that stand for a launch.
inline constexpr std::size_t quantiles_kept = 11;

/// Quantiles of a launch's times: of its rounds' medians, or of its only time. Ascending; empty without a time.
[[nodiscard]] std::vector<double> quantiles_of(const CaseRecord&);

/// 1 minus the area between two cumulative distributions over the area before they end: 1 if equal, 0.5 if one takes
/// twice as long. Only slower counts if `one_sided`: a faster `times` has similarity 1. Both ascending, positive, not
/// empty.
[[nodiscard]] double similarity(std::span<const double> usual, std::span<const double> times, bool one_sided);

/// A launch that differs from the others of its fleet.
struct LeftOut {
  std::string run;    ///< its file
  std::string hosts;  ///< "node4", "node1, node2"
  std::string id;     ///< the case
  double similarity = 0;
};

struct Learning {
  Profile profile;
  std::vector<LeftOut> left_out;
  std::vector<std::string> too_few;  ///< cases in fewer than 3 usable launches
  std::vector<std::string> unlike;   ///< cases of which fewer than half of the launches are alike
};

/// Learns a profile from launches of a trusted fleet. Figures of grade D or with wrong data do not count. For each case
/// with at least 3 launches: the criterion is the launch that is most similar to all; launches below 95 % (one-sided)
/// are outliers and left out, and the criterion is computed again without them, until none is left. A case is not
/// learned if fewer than half of its launches remain. A new launch may differ 1.5 times as much as the least similar
/// one that was kept, and 5 % in any case.
[[nodiscard]] Learning learn_profile(const std::vector<Run>&, const std::string& name);

}  // namespace busbar::accept
