// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/import/text_lines.hpp"

/// The number of ranks from printed bandwidths: busbw/algbw is the collective's bus factor.
namespace busbar {

inline constexpr int most_factor_ranks = 1 << 17;

/// Numbers of ranks that fit busbw/algbw.
struct RankRange {
  int low = 0, high = 0;

  [[nodiscard]] bool holds(int ranks) const { return low <= ranks && ranks <= high; }
};

/// "8 ranks", "7 to 9 ranks".
[[nodiscard]] std::string text_of(const RankRange&);

/// The two bandwidths of a case, as printed.
struct BandwidthPair {
  Rounded algbw, busbw;
};

/// Numbers of ranks that fit all pairs. Empty if the factor does not depend on the ranks, if there is no pair above 0,
/// or if more than a quarter of them disagree.
[[nodiscard]] std::optional<RankRange> ranks_by_factor(std::string_view collective, std::vector<BandwidthPair>);

}  // namespace busbar
