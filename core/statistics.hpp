// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

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

/// Percentile by nearest rank (the ceil(p/100 * n)-th smallest), p in (0, 100]. `sorted` ascends and is not empty.
[[nodiscard]] double percentile(std::span<const double> sorted, double p);

/// All of Summary. `samples` is not empty.
[[nodiscard]] Summary summarise(std::span<const double> samples);

}  // namespace busbar
