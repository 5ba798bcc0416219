// SPDX-License-Identifier: Apache-2.0
#include "core/machine/timer.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "core/machine/local_clock.hpp"
#include "core/machine/work.hpp"
#include "core/statistics/summary.hpp"

namespace busbar {
namespace {

/// Clock reads with pauses of many lengths, so that their differences are many multiples of the step.
std::vector<std::int64_t> reads_with_pauses() {
  static constexpr std::size_t pauses = 37;
  std::vector<std::int64_t> reads(40'000);
  for (std::size_t i = 0; i < reads.size(); ++i) {
    reads[i] = steady_ns();
    keep(work(static_cast<int>(i % pauses), 1));
  }
  return reads;
}

double cost_of_a_read() {
  static constexpr int in_a_block = 100;
  std::vector<double> blocks(200);
  for (double& block : blocks) {
    const auto first = steady_ns();
    auto last = first;
    for (int i = 0; i < in_a_block; ++i) last = steady_ns();
    block = static_cast<double>(last - first) / in_a_block;
  }
  return 1e-9 * median(blocks);
}

/// Counts of the differences between successive reads, without 0 and rare ones.
std::map<std::int64_t, int> common_differences(std::span<const std::int64_t> reads) {
  std::map<std::int64_t, int> differences;
  for (std::size_t i = 1; i < reads.size(); ++i)
    if (reads[i] > reads[i - 1]) ++differences[reads[i] - reads[i - 1]];
  const auto least = static_cast<int>(reads.size() / 1000);
  std::erase_if(differences, [&](const auto& entry) { return entry.second < least; });
  return differences;
}

/// Range of the differences that belong to the same number of steps, in units: one from rounding if the step is not an
/// integer, one more while the kernel adjusts the clock's rate.
constexpr std::int64_t most_smear = 2;

/// A run of adjacent values: their mean and range.
struct Cluster {
  double sum = 0;
  int count = 0;
  std::int64_t first = 0, last = 0;
  [[nodiscard]] double mean() const { return sum / count; }
};

std::vector<Cluster> clusters_of(const std::map<std::int64_t, int>& differences) {
  std::vector<Cluster> all;
  for (const auto& [value, count] : differences) {
    if (all.empty() || value > all.back().last + 1) all.push_back({.first = value});
    all.back().sum += static_cast<double>(value) * count;
    all.back().count += count;
    all.back().last = value;
  }
  return all;
}

}  // namespace

double step_of(std::span<const std::int64_t> reads) {
  const auto clusters = clusters_of(common_differences(reads));
  double step = clusters.empty() ? 0 : clusters.front().mean(), before = 0;
  for (const Cluster& cluster : clusters) {
    if (cluster.last - cluster.first > most_smear) return 1;  // the clusters of a longer step do not touch
    step = std::min(step, cluster.mean() - before);
    before = cluster.mean();
  }
  return step > 0 ? before / std::round(before / step) : 0;  // averaging over all is more accurate
}

Timer measure_timer() { return {.resolution_s = 1e-9 * step_of(reads_with_pauses()), .cost_s = cost_of_a_read()}; }

}  // namespace busbar
