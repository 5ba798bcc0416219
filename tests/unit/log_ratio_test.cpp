// SPDX-License-Identifier: Apache-2.0
#include "core/statistics/log_ratio.hpp"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

// Expected figures are those of SciPy 1.10 (scipy.stats.ttest_ind, ttest_rel, t.ppf) on the same numbers.

namespace busbar::test {
namespace {

using Figures = std::vector<LaunchFigure>;

Figures figures(std::initializer_list<double> values) {
  Figures all;
  for (const double v : values) all.push_back({.value = v});
  return all;
}

const Figures a = figures({100, 102, 101, 98, 105}), b = figures({110, 108, 112, 109, 111});

void expect_interval(const LogRatio& r, double low, double high, double tolerance) {
  EXPECT_NEAR(r.interval(0.95).low, low, tolerance);
  EXPECT_NEAR(r.interval(0.95).high, high, tolerance);
}

TEST(LogRatio, ComparesIndependentLaunchesByStudentsT) {
  const LogRatio r = independent_ratio(a, b).value();
  EXPECT_EQ(r.degrees, 8);
  EXPECT_NEAR(r.ratio(), 1.08715, 1e-5);
  expect_interval(r, 1.05483, 1.12046, 1e-5);
  EXPECT_NEAR(2 * r.p_above(1), 2.12586e-4, 1e-9);
  EXPECT_NEAR(r.p_above(1) + r.p_below(1), 1, 1e-12);
}

TEST(LogRatio, ComparesPairsOfLaunches) {
  const LogRatio r = paired_ratio(a, b).value();
  EXPECT_EQ(r.degrees, 4);
  expect_interval(r, 1.05371, 1.12165, 1e-5);
  EXPECT_NEAR(2 * r.p_above(1), 1.75515e-3, 1e-8);
}

TEST(LogRatio, CancelsCommonChangesInPairs) {
  const Figures drifting = figures({100, 120, 140, 160, 200, 240}),
                later = figures({105, 126.2, 146.8, 168, 210.4, 252});
  const Interval pairs = paired_ratio(drifting, later)->interval(0.95);
  EXPECT_GT(pairs.low, 1.045);
  EXPECT_LT(pairs.high, 1.055);
  EXPECT_LT(independent_ratio(drifting, later)->interval(0.95).low, 0.8);
}

TEST(LogRatio, AssumesTheOtherSidesSpreadForOneLaunch) {
  const LogRatio r = independent_ratio(a, figures({110})).value();
  EXPECT_EQ(r.degrees, 4);
  expect_interval(r, 1.00613, 1.17488, 1e-5);
}

TEST(LogRatio, NeedsTwoLaunches) {
  EXPECT_FALSE(independent_ratio(figures({1}), figures({2})));
  EXPECT_FALSE(paired_ratio(figures({1}), figures({2})));
}

Figures paced(std::initializer_list<double> values, std::initializer_list<double> pace) {
  Figures all = figures(values);
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i].paced = PacedFigure{.value = all[i].value, .pace_s = pace.begin()[i]};
  return all;
}

// Figures of ordinary least squares on the logarithms (numpy.linalg.solve of the normal equations, scipy.stats.t).
const Figures pa = paced({100, 102, 118, 98, 121, 99}, {1, 1.02, 2, 1.01, 2.1, 1}),
              pb = paced({110, 125, 112, 109, 131, 111}, {1.05, 1.9, 1.2, 1, 2.2, 1.03});

TEST(LogRatio, AdjustsForPaceByAnalysisOfCovariance) {
  const LogRatio r = independent_ratio_at_equal_pace(pa, pb).value();
  EXPECT_EQ(r.degrees, 9);
  EXPECT_NEAR(r.ratio(), 1.085500, 1e-6);
  expect_interval(r, 1.066961, 1.104360, 1e-6);
  EXPECT_NEAR(2 * r.p_above(1), 1.91762e-6, 1e-11);
  EXPECT_NEAR(r.pace->exponent, 0.240648, 1e-6);
  EXPECT_NEAR(r.pace->ratio, 1.038410, 1e-6);
  EXPECT_NEAR(2 * independent_ratio(pa, pb)->p_above(1), 0.098333, 1e-6);  // as measured it could be chance
}

TEST(LogRatio, AdjustsPairsForPace) {
  const LogRatio r = paired_ratio_at_equal_pace(pa, pb).value();
  EXPECT_EQ(r.degrees, 4);
  EXPECT_NEAR(r.ratio(), 1.086260, 1e-6);
  expect_interval(r, 1.057212, 1.116106, 1e-6);
  EXPECT_NEAR(2 * r.p_above(1), 1.06232e-3, 1e-8);
  EXPECT_NEAR(r.pace->exponent, 0.222070, 1e-6);
}

/// Two builds whose fixed work differs: within a side the pace tells nothing about the times, and the slope of such
/// noise must not be carried to the other side's pace.
TEST(LogRatio, IsAsMeasuredWherePacesDoNotOverlap) {
  const Figures a = paced({100, 102, 101, 99, 103, 100}, {1, 1.001, 1.002, 1, 1.001, 1});
  const Figures b = paced({110, 113, 111, 109, 112, 110}, {1.5, 1.501, 1.5, 1.502, 1.5, 1.501});
  for (const LogRatio& r : {*independent_ratio_at_equal_pace(a, b), *paired_ratio_at_equal_pace(a, b)}) {
    EXPECT_FALSE(r.pace);
    EXPECT_NEAR(*r.pace_apart, 1.5, 1e-3);
    EXPECT_NEAR(r.ratio(), 1.0992, 1e-4);
    EXPECT_LT(r.interval(0.95).high, 1.12);
  }
}

TEST(LogRatio, NeedsAVaryingPaceToAdjust) {
  EXPECT_FALSE(independent_ratio_at_equal_pace(pa, figures({110, 125, 112, 109, 131, 111})));
  EXPECT_FALSE(paired_ratio_at_equal_pace(figures({110, 125, 112, 109, 131, 111}), pb));
  EXPECT_FALSE(independent_ratio_at_equal_pace(paced({1, 2, 3}, {1, 1, 1}), paced({1, 2, 3}, {1, 1, 1})));
  EXPECT_FALSE(independent_ratio_at_equal_pace(paced({1}, {1}), paced({2, 3}, {1, 2})));
}

TEST(LogRatio, UsesAnAssumedSpread) {
  const LogRatio r = assumed_ratio(figures({1}), figures({std::exp(0.2)}), 0.1);
  EXPECT_TRUE(std::isinf(r.degrees));
  EXPECT_NEAR(r.p_above(1), 0.07865, 1e-5);
  EXPECT_NEAR(std::log(r.interval(0.95).high) - 0.2, 0.27718, 1e-5);
}

TEST(LogRatio, AddsAnAssumedSpreadToTheLaunchInterval) {
  const Figures wide{
      {.value = 1, .interval = Interval{.low = std::exp(-0.196), .high = std::exp(0.196), .confidence = 0.95}}};
  EXPECT_NEAR(assumed_ratio(wide, wide, 0).standard_error, std::sqrt(2) * 0.1, 1e-4);
  EXPECT_NEAR(assumed_ratio(wide, wide, 0.1).standard_error, 0.2, 1e-4);
}

TEST(LogRatio, HasNoErrorOnEqualFigures) {
  const LogRatio r = independent_ratio(figures({2, 2}), figures({2, 2})).value();
  EXPECT_EQ(r.interval(0.95).low, 1);
  EXPECT_EQ(r.interval(0.95).high, 1);
  EXPECT_EQ(r.p_above(1), 1);
}

TEST(LogRatio, PredictsTheLaunchesForAnInterval) {
  const LogRatio seen{.value = 0.03, .standard_error = 0.04 * std::sqrt(2.0 / 5), .degrees = 8};  // 4 % a launch
  const int n = launches_needed(seen, 5, 0.03, 0.95, false).value();
  const auto half_width = [](int launches) {
    const LogRatio r{.value = 0, .standard_error = 0.04 * std::sqrt(2.0 / launches), .degrees = 2.0 * launches - 2};
    return std::log(r.interval(0.95).high);
  };
  EXPECT_LT(half_width(n), 0.03);
  EXPECT_GT(half_width(n - 1), 0.03);
  EXPECT_GE(launches_needed(seen, 5, 0.03, 0.95, true).value(), n) << "pairs have half the degrees of freedom";
  EXPECT_FALSE(launches_needed(seen, 5, 1e-5, 0.95, false));
}

/// Intervals cover the true ratio at about their confidence, even with two launches per side.
TEST(LogRatio, Coverage) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> launch(0, 0.05);
  constexpr int times = 4000;
  for (const int n : {2, 5}) {
    int held = 0;
    for (int i = 0; i < times; ++i) {
      Figures x, y;
      for (int k = 0; k < n; ++k) {
        x.push_back({.value = std::exp(launch(random))});
        y.push_back({.value = 1.1 * std::exp(launch(random))});
      }
      const Interval interval = independent_ratio(x, y)->interval(0.95);
      held += interval.low <= 1.1 && 1.1 <= interval.high;
    }
    EXPECT_NEAR(static_cast<double>(held) / times, 0.95, 0.012) << n << " launches";
  }
}

/// The same at equal pace, where launches differ mostly by a neighbour that comes and goes. These intervals are
/// narrower than those of the measured figures.
TEST(LogRatio, CoverageAtEqualPace) {
  std::mt19937_64 random(8);
  std::normal_distribution<double> noise(0, 0.01), wobble(0, 0.1);
  std::bernoulli_distribution neighbour(0.4);
  constexpr int times = 4000, n = 6;
  const auto side = [&](double factor) {
    Figures all;
    for (int k = 0; k < n; ++k) {
      const double pace = (neighbour(random) ? 0.5 : 0) + wobble(random);  // logarithms
      const double value = factor * std::exp(0.25 * pace + noise(random));
      all.push_back({.value = value, .paced = PacedFigure{.value = value, .pace_s = 1e-6 * std::exp(pace)}});
    }
    return all;
  };
  int held = 0, narrower = 0;
  for (int i = 0; i < times; ++i) {
    const Figures x = side(1), y = side(1.1);
    const LogRatio equal = independent_ratio_at_equal_pace(x, y).value();
    const Interval interval = equal.interval(0.95);
    held += interval.low <= 1.1 && 1.1 <= interval.high;
    narrower += equal.standard_error < independent_ratio(x, y)->standard_error;
  }
  EXPECT_NEAR(static_cast<double>(held) / times, 0.95, 0.012);
  EXPECT_GT(static_cast<double>(narrower) / times, 0.98);
}

TEST(Holm, MatchesValuesByHand) {
  const std::vector<double> p{0.01, 0.04, 0.03, 0.005};
  const std::vector<double> corrected = holm(p);
  EXPECT_DOUBLE_EQ(corrected[3], 0.02);  // 4 x 0.005
  EXPECT_DOUBLE_EQ(corrected[0], 0.03);  // 3 x 0.01
  EXPECT_DOUBLE_EQ(corrected[2], 0.06);  // 2 x 0.03
  EXPECT_DOUBLE_EQ(corrected[1], 0.06);  // 1 x 0.04, but not below the one before
  EXPECT_TRUE(holm({}).empty());
}

}  // namespace
}  // namespace busbar::test
