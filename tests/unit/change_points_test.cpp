// SPDX-License-Identifier: Apache-2.0
#include "core/statistics/change_points.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace busbar::test {
namespace {

/// Values around 1 with this spread, times `factor` from `at` on.
std::vector<double> values(std::mt19937_64& random, std::size_t n, double spread, std::size_t at = 1000,
                           double factor = 1) {
  std::normal_distribution<double> normal(0, spread);
  std::vector<double> all;
  for (std::size_t i = 0; i < n; ++i) all.push_back(std::exp(normal(random)) * (i >= at ? factor : 1));
  return all;
}

TEST(ChangePoints, FindsDateAndSizeOfAChange) {
  std::mt19937_64 random(1);
  const std::vector<std::vector<double>> series{values(random, 20, 0.01), values(random, 20, 0.01, 12, 1.08),
                                                values(random, 20, 0.01, 12, 0.9)};
  const auto found = change_points(series);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].at, 12U);
  EXPECT_LE(found[0].p, 0.01);
  ASSERT_EQ(found[0].changed.size(), 2U);
  EXPECT_EQ(found[0].changed[0].series, 1U);
  EXPECT_NEAR(found[0].changed[0].ratio, 1.08, 0.02);
  EXPECT_NEAR(found[0].changed[1].ratio, 0.9, 0.02);
}

TEST(ChangePoints, FindsSeveralChanges) {
  std::mt19937_64 random(2);
  std::vector<std::vector<double>> series{values(random, 30, 0.01, 10, 1.2)};
  for (std::size_t i = 20; i < 30; ++i) series[0][i] /= 1.2;
  const auto found = change_points(series);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].at, 10U);
  EXPECT_EQ(found[1].at, 20U);
}

TEST(ChangePoints, IgnoresOneOutlier) {
  std::mt19937_64 random(3);
  std::vector<std::vector<double>> series{values(random, 20, 0.01)};
  series[0][9] = 3;
  EXPECT_TRUE(change_points(series).empty());
}

TEST(ChangePoints, FindsNothingInFewOrEqualValues) {
  EXPECT_TRUE(change_points({}).empty());
  EXPECT_TRUE(change_points(std::vector<std::vector<double>>{{1, 1, 2, 2, 2}}).empty());
  EXPECT_TRUE(change_points(std::vector<std::vector<double>>{std::vector<double>(20, 5.0)}).empty());
}

TEST(ChangePoints, SkipsUnknownValues) {
  std::mt19937_64 random(4);
  std::vector<std::vector<double>> series{values(random, 24, 0.01, 12, 1.1), values(random, 24, 0.01)};
  for (const std::size_t i : {1U, 5U, 13U, 20U}) series[0][i] = std::nan("");
  series[1][3] = -1;
  const auto found = change_points(series);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].at, 12U);
}

/// At alpha 1 %, of series without a change; those of a launch rise and fall together, as sizes of one launch do.
TEST(ChangePoints, KeepsItsRateOfFalseAlarms) {
  std::mt19937_64 random(5);
  constexpr int times = 200;
  int alarms = 0;
  for (int i = 0; i < times; ++i) {
    const std::vector<double> common = values(random, 16, 0.05);
    std::vector<std::vector<double>> series;
    for (int k = 0; k < 4; ++k) {
      series.push_back(values(random, 16, 0.02));
      for (std::size_t n = 0; n < common.size(); ++n) series.back()[n] *= common[n];
    }
    alarms += !change_points(series).empty();
  }
  EXPECT_LE(alarms, 7);  // 2 expected; 8 or more come once in a thousand
}

}  // namespace
}  // namespace busbar::test
