// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

namespace busbar {

/// Mean of at least one value.
[[nodiscard]] inline double mean(std::span<const double> values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

/// Sum of the squared distances from the mean of at least one value.
[[nodiscard]] inline double squared_residuals(std::span<const double> values) {
  const double middle = mean(values);
  double sum = 0;
  for (const double v : values) sum += (v - middle) * (v - middle);
  return sum;
}

}  // namespace busbar
