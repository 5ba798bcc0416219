// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

namespace busbar {

/// Statistics over the samples of one case. What the samples are is for the caller to say.
struct Summary {
  double min_s = 0;
  double mean_s = 0;
  double median_s = 0;  ///< mean of the middle two where their number is even
  double p95_s = 0;     ///< nearest rank: the smallest sample that at least 95 % are not above
  double p99_s = 0;
  double max_s = 0;
};

/// Median: the mean of the middle two samples where their number is even. `samples` is not empty.
[[nodiscard]] double median(std::span<const double> samples);

/// Mean without the `share` (0 to 0.5, not included) smallest and as many of the largest, rounded down. Not empty.
/// Source: R. R. Wilcox, Introduction to Robust Estimation and Hypothesis Testing, which recommends a share of 0.2.
[[nodiscard]] double trimmed_mean(std::vector<double> samples, double share);

/// Percentile by nearest rank (the ceil(p/100 * n)-th smallest), p in (0, 100]. `sorted` ascends and is not empty.
[[nodiscard]] double percentile(std::span<const double> sorted, double p);

/// All of Summary. `samples` is not empty.
[[nodiscard]] Summary summarise(std::span<const double> samples);

}  // namespace busbar
