// SPDX-License-Identifier: Apache-2.0
#include "core/statistics/interval.hpp"

#include <array>
#include <numeric>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/record/parts.hpp"
#include "core/statistics/distributions.hpp"
#include "core/statistics/serial.hpp"
#include "core/statistics/stepped_median.hpp"
#include "core/statistics/summary.hpp"
#include "tests/unit/synthetic.hpp"

namespace busbar::test {
namespace {

std::vector<double> one_to(int n) {
  std::vector<double> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), 1.0);
  return all;
}

TEST(Binomial, GivesTheUpperTail) {
  EXPECT_DOUBLE_EQ(binomial_at_least(0, 10, 0.3), 1);
  EXPECT_DOUBLE_EQ(binomial_at_least(3, 3, 0.5), 0.125);
  EXPECT_NEAR(binomial_at_least(8, 10, 0.5), 56.0 / 1024, 1e-12);
  EXPECT_NEAR(binomial_at_least(5000, 10000, 0.5), 0.504, 1e-3) << "the first term is less than a double holds";
  EXPECT_NEAR(binomial_at_least(2, 20, 1.0 / 512), 7.080e-4, 1e-7);
}

TEST(SteppedMedian, IsTheMedianWithoutSteps) {
  EXPECT_EQ(stepped_median(std::array{9.0, 1.0, 5.0}, 0), 5.0);
  EXPECT_EQ(stepped_median(std::array{4.0, 1.0, 2.0, 3.0}, 0), 2.5);
  EXPECT_EQ(stepped_median(std::array{7.0}, 1), 7.0);
}

TEST(SteppedMedian, IsPythonsMedianGrouped) {
  EXPECT_DOUBLE_EQ(stepped_median(std::array{52.0, 52.0, 53.0, 54.0}, 1), 52.5);
  EXPECT_DOUBLE_EQ(stepped_median(std::array{1.0, 2.0, 2.0, 3.0, 4.0, 4.0, 4.0, 4.0, 4.0, 5.0}, 1), 3.7);
  EXPECT_DOUBLE_EQ(stepped_median(std::array{1.0, 3.0, 3.0, 5.0, 7.0}, 2), 3.5);
  EXPECT_DOUBLE_EQ(stepped_median(std::array{1.0, 3.0, 3.0, 5.0, 7.0}, 1), 3.25);
}

TEST(SteppedMedian, IgnoresRoundingOfSamples) {
  const std::array exact{180e-9, 180e-9, 180e-9, 190e-9, 190e-9};
  const std::array rounded{180e-9 * (1 + 1e-13), 180e-9, 180e-9 * (1 - 1e-13), 190e-9, 190e-9 * (1 + 1e-13)};
  EXPECT_NEAR(stepped_median(exact, 10e-9), 183.33e-9, 1e-11);
  EXPECT_NEAR(stepped_median(rounded, 10e-9), stepped_median(exact, 10e-9), 1e-18);
}

TEST(SteppedMedian, ResolvesBelowTheStep) {
  Synthetic synthetic(1);
  for (const double truth : {100.0, 102.5, 105.0, 107.5}) {
    const auto samples =
        Synthetic::series(20001, [&] { return 10 * std::round((truth + 8 * synthetic.normal()) / 10); });
    EXPECT_NEAR(stepped_median(samples, 10), truth, 0.5);
  }
}

TEST(SteppedMedian, StaysWithinHalfAStepOfTheMedian) {
  Synthetic synthetic(2);
  for (std::size_t n = 1; n < 60; ++n)
    for (const double sigma : {0.001, 0.1, 1.0}) {
      const auto samples = synthetic.lognormals(n, sigma);
      EXPECT_NEAR(stepped_median(samples, 0.1), median(samples), 0.05 + 1e-12) << n;
    }
  EXPECT_EQ(stepped_median(std::array{1.0, 100.0}, 1), 50.5);
}

TEST(MedianInterval, IsEmptyForTooFewValues) {
  EXPECT_FALSE(median_interval({}, 0.95));
  EXPECT_FALSE(median_interval(one_to(1), 0.95));
  EXPECT_FALSE(median_interval(one_to(5), 0.95));  // the least and the greatest of 5 hold 15/16
  EXPECT_TRUE(median_interval(one_to(5), 0.9));
  EXPECT_TRUE(median_interval(one_to(6), 0.95));
}

TEST(MedianInterval, EndsAtOrderStatisticsOfTheConfidence) {
  // Ranks d and n + 1 - d leave out the chance of d - 1 or fewer heads in n throws on each side.
  const auto ten = median_interval(one_to(10), 1 - 2 * 11 / 1024.0);
  ASSERT_TRUE(ten);
  EXPECT_NEAR(ten->low, 2, 1e-9);
  EXPECT_NEAR(ten->high, 9, 1e-9);
  const auto seven = median_interval(one_to(7), 1 - 2 * 8 / 128.0);
  ASSERT_TRUE(seven);
  EXPECT_NEAR(seven->low, 2, 1e-9);
  EXPECT_NEAR(seven->high, 6, 1e-9);
}

TEST(MedianInterval, InterpolatesAsHettmanspergerAndSheather) {
  const auto interval = median_interval(one_to(10), 0.95);  // between ranks 2 (97.85 %) and 3 (89.06 %)
  ASSERT_TRUE(interval);
  const double share = (1002 / 1024.0 - 0.95) / (90 / 1024.0);
  EXPECT_NEAR(interval->low, 2 + 8 * share / (2 + 6 * share), 1e-9);
  EXPECT_NEAR(interval->high, 11 - interval->low, 1e-9);
  EXPECT_EQ(interval->confidence, 0.95);
}

TEST(MedianInterval, ApproachesTheNormalInterval) {
  for (const int n : {1000, 5000}) {
    const auto interval = median_interval(one_to(n), 0.95);
    ASSERT_TRUE(interval);
    EXPECT_NEAR(interval->high - interval->low, 1.95996 * std::sqrt(n), 1.0);
  }
}

TEST(MedianInterval, RelativeHalfWidth) { EXPECT_NEAR(relative_half_width({.low = 98, .high = 102}), 0.02, 1e-12); }

TEST(Serial, GivesEqualValuesOneRank) {
  EXPECT_EQ(ranks_of(std::array{5.0, 1.0, 5.0, 9.0}), (std::vector{2.5, 1.0, 2.5, 4.0}));
}

TEST(Serial, ComputesCorrelationOfNeighbours) {
  EXPECT_NEAR(serial_correlation(one_to(100)), 1, 0.04);
  EXPECT_NEAR(serial_correlation(std::array{1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0, 2.0}), -0.875, 1e-12);
  EXPECT_EQ(serial_correlation(std::array{3.0, 3.0, 3.0}), 0);
  EXPECT_EQ(serial_correlation(std::array{3.0}), 0);
}

TEST(Serial, CountsCorrelatedValuesAsFewer) {
  Synthetic synthetic(3);
  EXPECT_EQ(effective_count(std::array{3.0, 3.0, 3.0, 3.0}), 4);
  EXPECT_EQ(effective_count(std::array{1.0, 2.0, 1.0, 2.0, 1.0, 2.0}), 6);  // never more than there are
  EXPECT_GT(effective_count(synthetic.lognormals(2000, 0.1)), 1600);
  // Near n / (1 + 2 sum of (6 / pi) asin(rho^k / 2)) = n / 3.8.
  const double counted = effective_count(synthetic.correlated(5000, 0.6, 0.1));
  EXPECT_GT(counted, 5000 / 4.8);
  EXPECT_LT(counted, 5000 / 3.0);
}

TEST(SeriesInterval, IsWiderForCorrelatedValues) {
  const std::array alternating{1.0, 9.0, 2.0, 8.0, 3.0, 7.0, 4.0, 6.0, 5.0};
  EXPECT_EQ(series_median_interval(alternating, 0.95)->low, median_interval(alternating, 0.95)->low);
  const auto series = Synthetic(4).correlated(100, 0.6, 0.05);
  EXPECT_GT(relative_half_width(*series_median_interval(series, 0.95)),
            1.3 * relative_half_width(*median_interval(series, 0.95)));
  EXPECT_FALSE(series_median_interval(one_to(12), 0.95));  // counts as fewer than 6
}

TEST(Interval, RefusesABadConfidence) {
  for (const double confidence : {0.0, 1.0, -0.5, 1e308})
    EXPECT_THROW((void)nlohmann::json({{"low", 1}, {"high", 2}, {"confidence", confidence}}).get<Interval>(), Error);
}

}  // namespace
}  // namespace busbar::test
