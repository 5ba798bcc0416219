// SPDX-License-Identifier: Apache-2.0
#include "core/statistics/stepped_median.hpp"

#include <algorithm>
#include <vector>

namespace busbar {

double stepped_median(std::span<const double> samples, double step) {
  std::vector<double> all(samples.begin(), samples.end());
  const auto upper = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::ranges::nth_element(all, upper);
  const double above = *upper;
  const double below = all.size() % 2 == 1 ? above : *std::max_element(all.begin(), upper);
  const double plain = 0.5 * (below + above);
  // The middle two are in different steps. The median is the edge between them, which is also their mean.
  if (!(step > 0) || above - below > 0.5 * step) return plain;
  // Edges are halfway between steps, so rounding of the samples does not matter.
  const double low = plain - 0.5 * step, high = plain + 0.5 * step;
  const auto under = static_cast<double>(std::ranges::count_if(all, [low](double s) { return s < low; }));
  const auto inside =
      static_cast<double>(std::ranges::count_if(all, [low, high](double s) { return s >= low && s <= high; }));
  return low + step * (0.5 * static_cast<double>(all.size()) - under) / inside;
}

}  // namespace busbar
