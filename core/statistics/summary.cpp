// SPDX-License-Identifier: Apache-2.0
#include "core/statistics/summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace busbar {
namespace {

std::vector<double> sorted_copy(std::span<const double> samples) {
  std::vector<double> sorted(samples.begin(), samples.end());
  std::ranges::sort(sorted);
  return sorted;
}

double median_of_sorted(std::span<const double> sorted) {
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : 0.5 * (sorted[half - 1] + sorted[half]);
}

}  // namespace

double median(std::span<const double> samples) { return median_of_sorted(sorted_copy(samples)); }

double lower_quartile(std::vector<double> values) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 4);
  std::ranges::nth_element(values, at);
  return *at;
}

double trimmed_mean(std::vector<double> samples, double share) {
  std::ranges::sort(samples);
  const auto cut = static_cast<std::ptrdiff_t>(share * static_cast<double>(samples.size()));
  return std::accumulate(samples.begin() + cut, samples.end() - cut, 0.0) /
         static_cast<double>(std::ssize(samples) - 2 * cut);
}

double percentile(std::span<const double> sorted, double p) {
  const double rank = std::ceil(p / 100 * static_cast<double>(sorted.size()));
  return sorted[std::clamp<std::size_t>(static_cast<std::size_t>(rank), 1, sorted.size()) - 1];
}

Summary summarise(std::span<const double> samples) {
  const auto sorted = sorted_copy(samples);
  return {.min_s = sorted.front(),
          .mean_s = std::accumulate(sorted.begin(), sorted.end(), 0.0) / static_cast<double>(sorted.size()),
          .median_s = median_of_sorted(sorted),
          .p95_s = percentile(sorted, 95),
          .p99_s = percentile(sorted, 99),
          .max_s = sorted.back()};
}

}  // namespace busbar
