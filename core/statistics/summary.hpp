// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

namespace busbar {

/// Statistics of the samples of one case.
struct Summary {
  double min_s = 0;
  double mean_s = 0;
  double median_s = 0;  ///< mean of the middle two if their number is even
  double p95_s = 0;     ///< nearest rank: the smallest sample that is not below 95 % of them
  double p99_s = 0;
  double max_s = 0;
};

/// Median: the mean of the middle two if their number is even. `samples` must not be empty.
[[nodiscard]] double median(std::span<const double> samples);

/// The value with the index (n - 1) / 4 in ascending order: the smallest of up to four. `values` must not be empty.
[[nodiscard]] double lower_quartile(std::vector<double> values);

/// What is usual where some members of a group are slow: the median over members of the lower quartile of each. A slow
/// member hardly moves it, even if it slows half of the values of all others. `by_member`: a map from members to their
/// values; not empty.
template <class Map>
[[nodiscard]] double usual_over_members(const Map& by_member) {
  std::vector<double> fast;
  for (const auto& [member, values] : by_member) fast.push_back(lower_quartile(values));
  return median(fast);
}

/// Mean without the smallest and the largest `share` of the samples, 0 <= share < 0.5; their number is rounded down.
/// `samples` must not be empty. Source: R. R. Wilcox, Introduction to Robust Estimation and Hypothesis Testing, which
/// recommends 0.2.
[[nodiscard]] double trimmed_mean(std::vector<double> samples, double share);

/// Percentile by nearest rank (the ceil(p/100 * n)-th smallest), p in (0, 100]. `sorted` must ascend and not be empty.
[[nodiscard]] double percentile(std::span<const double> sorted, double p);

/// All members of Summary. `samples` must not be empty.
[[nodiscard]] Summary summarise(std::span<const double> samples);

}  // namespace busbar
