// SPDX-License-Identifier: Apache-2.0
#include "core/statistics/change_points.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "core/statistics/shifts.hpp"

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
  EXPECT_EQ(found[0].kind, ChangeKind::step);
  const auto shifts = series_shifts(series, found[0]);
  ASSERT_EQ(shifts.size(), 3U);
  EXPECT_FALSE(shifts[0].moved);
  EXPECT_TRUE(shifts[1].moved && shifts[2].moved);
  EXPECT_NEAR(shifts[1].shift.ratio, 1.08, 0.02);
  EXPECT_NEAR(shifts[2].shift.ratio, 0.9, 0.02);
  EXPECT_LT(shifts[1].shift.interval.low, 1.08);
  EXPECT_GT(shifts[1].shift.interval.high, 1.08);
}

TEST(ChangePoints, NamesAllCasesThatMovedTogether) {
  std::mt19937_64 random(6);
  std::vector<std::vector<double>> series;
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < 40; ++i) {
    series.push_back(values(random, 20, 0.03, 14, 1.15));
    all.push_back(i);
  }
  const auto found = change_points(series);
  ASSERT_EQ(found.size(), 1U);
  const auto shifts = series_shifts(series, found[0]);
  EXPECT_EQ(std::ranges::count(shifts, true, &SeriesShift::moved), 40);
  const auto median = median_shift(series, all, found[0]);
  ASSERT_TRUE(median);
  EXPECT_NEAR(median->ratio, 1.15, 0.02);
  EXPECT_LT(median->interval.high - median->interval.low, 0.04);
}

TEST(ChangePoints, GivesADriftNoDate) {
  std::mt19937_64 random(7);
  std::vector<std::vector<double>> series{values(random, 40, 0.02)};
  for (std::size_t i = 0; i < 40; ++i) series[0][i] *= 1 + 0.01 * static_cast<double>(i);
  const auto found = change_points(series);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, ChangeKind::drift);
  EXPECT_EQ(found[0].before.last, 13U);
  EXPECT_EQ(found[0].behind.first, 27U);
}

TEST(ChangePoints, SaysWhereFewValuesTellNoStepFromADrift) {
  std::mt19937_64 random(8);
  const auto found = change_points(std::vector<std::vector<double>>{values(random, 10, 0.03, 5, 1.14)});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].at, 5U);
  EXPECT_EQ(found[0].kind, ChangeKind::unclear);
}

TEST(ChangePoints, FindsOneCaseBehindNoiseThatAllShare) {
  std::mt19937_64 random(9);
  const std::vector<double> common = values(random, 24, 0.1);
  std::vector<std::vector<double>> series;
  for (int k = 0; k < 8; ++k) {
    series.push_back(values(random, 24, 0.01, 18, k == 3 ? 1.08 : 1));
    for (std::size_t n = 0; n < common.size(); ++n) series.back()[n] *= common[n];
  }
  const auto found = change_points(series);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].at, 18U);
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

TEST(ChangePoints, IgnoresSingleBadNights) {
  std::mt19937_64 random(3);
  std::vector<std::vector<double>> series{values(random, 20, 0.01)};
  series[0][9] = 3;
  series[0][19] = 2;
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

/// At alpha 0.5 %, of series without a change; those of a launch rise and fall together, as sizes of one launch do.
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
  EXPECT_LE(alarms, 5);  // 1 expected; 6 or more come once in a thousand
}

}  // namespace
}  // namespace busbar::test
