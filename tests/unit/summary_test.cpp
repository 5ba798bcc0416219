// SPDX-License-Identifier: Apache-2.0
#include "core/statistics/summary.hpp"

#include <array>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace busbar::test {
namespace {

TEST(Summary, TakesMediansOfOddAndEvenCounts) {
  EXPECT_EQ(median(std::array{3.0}), 3.0);
  EXPECT_EQ(median(std::array{9.0, 1.0, 5.0}), 5.0);
  EXPECT_EQ(median(std::array{4.0, 1.0, 2.0, 3.0}), 2.5);
}

TEST(Summary, TrimsMeansAsScipy) {
  EXPECT_DOUBLE_EQ(trimmed_mean({5, 1, 2, 3, 100, 4, 7}, 0.2), 4.2);  // as scipy.stats.trim_mean
  EXPECT_DOUBLE_EQ(trimmed_mean({3, 5}, 0.2), 4);
  EXPECT_DOUBLE_EQ(trimmed_mean({1, 2, 30}, 0.4), 2);
}

TEST(Summary, TakesPercentilesByNearestRank) {
  std::vector<double> hundred(100);
  std::iota(hundred.begin(), hundred.end(), 1.0);
  EXPECT_EQ(percentile(hundred, 95), 95.0);
  EXPECT_EQ(percentile(hundred, 99), 99.0);
  EXPECT_EQ(percentile(hundred, 100), 100.0);
  EXPECT_EQ(percentile(hundred, 0.1), 1.0);
  EXPECT_EQ(percentile(std::array{1.0, 2.0, 3.0}, 50), 2.0);
}

TEST(Summary, MovesTheMeanButNotTheMedianByAnOutlier) {
  const Summary s = summarise(std::array{1.0, 1.0, 1.0, 1.0, 96.0});
  EXPECT_EQ(s.min_s, 1.0);
  EXPECT_EQ(s.median_s, 1.0);
  EXPECT_EQ(s.mean_s, 20.0);
  EXPECT_EQ(s.p95_s, 96.0);
  EXPECT_EQ(s.max_s, 96.0);
}

}  // namespace
}  // namespace busbar::test
