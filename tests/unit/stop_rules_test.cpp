// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/stop_rules.hpp"

#include <array>

#include <gtest/gtest.h>

#include "core/record/method.hpp"
#include "tests/unit/synthetic.hpp"

namespace busbar::test {
namespace {

const std::vector<double> steady(30, 1e-6);

TEST(StopRules, TakeAFixedCountExactly) {
  const std::array<StopRule, 1> rules{FixedCount{.samples = 7}};
  EXPECT_FALSE(ended_by(rules, {.samples = 6, .spent_s = 1e9}));
  EXPECT_EQ(ended_by(rules, {.samples = 7}), EndedBy::count);
}

TEST(StopRules, EndNothingWithoutRules) { EXPECT_FALSE(ended_by({}, {.round_medians_s = steady, .samples = 1000})); }

TEST(StopRules, NameTheFirstRuleThatEnds) {
  const std::array<StopRule, 3> rules{MaxSamples{.samples = 100}, CaseBudget{.seconds = 1}, RunBudget{}};
  Sampling s{.round_medians_s = steady, .samples = 99, .spent_s = 0.9, .left_s = 0.1};
  EXPECT_FALSE(ended_by(rules, s));
  s.left_s = -0.1;
  EXPECT_EQ(ended_by(rules, s), EndedBy::run_budget);
  s.spent_s = 1;
  EXPECT_EQ(ended_by(rules, s), EndedBy::time_budget);
  s.samples = 100;
  EXPECT_EQ(ended_by(rules, s), EndedBy::max_samples);
}

TEST(StopRules, LeaveEnoughRoundsForAnIntervalWithinTheCaseBudget) {
  const auto rounds = std::span(steady);
  const std::array<StopRule, 1> budget{CaseBudget{.seconds = 1}};
  EXPECT_FALSE(ended_by(budget, {.round_medians_s = rounds.first(5), .spent_s = 9}));
  EXPECT_TRUE(ended_by(budget, {.round_medians_s = rounds.first(6), .spent_s = 9}));
  EXPECT_TRUE(median_interval(rounds.first(least_rounds), 0.95));
  EXPECT_FALSE(median_interval(rounds.first(least_rounds - 1), 0.95));
}

TEST(StopRules, EndACaseAtTheTimeOfTheLaunch) {
  for (const auto& rules : {rules_of({.most_samples = 9}, std::nullopt), rules_of({}, 9)}) {
    EXPECT_FALSE(ended_by(rules, {.left_s = 0.1}));
    EXPECT_EQ(ended_by(rules, {.left_s = 0}), EndedBy::run_budget);
    EXPECT_EQ(ended_by(rules, {.samples = 9, .left_s = 0}), rules.size() == 2 ? EndedBy::count : EndedBy::max_samples);
  }
}

TEST(StopRules, ConvergeByIntervalRoundsAndSpan) {
  const Converged rule{.relative_half_width = 0.02, .min_rounds = 20, .min_span_s = 5};
  const auto rounds = std::span(steady);
  EXPECT_FALSE(rule.done({.round_medians_s = rounds.first(19), .span_s = 6}));
  EXPECT_FALSE(rule.done({.round_medians_s = rounds.first(20), .span_s = 4.9}));
  EXPECT_TRUE(rule.done({.round_medians_s = rounds.first(20), .span_s = 5}));
  EXPECT_FALSE(rule.done({.round_medians_s = Synthetic(1).lognormals(30, 0.2), .span_s = 6}));
  EXPECT_TRUE(rule.done({.round_medians_s = Synthetic(1).lognormals(30, 0.01), .span_s = 6}));
}

TEST(StopRules, DoNotConvergeEarlyOnCorrelatedRounds) {
  std::vector<double> slow_waves;
  for (int i = 0; i < 40; ++i) slow_waves.push_back(1 + 0.05 * std::sin(i * 0.2));
  const double width = 1.01 * relative_half_width(*median_interval(slow_waves, 0.96));
  EXPECT_FALSE((Converged{.relative_half_width = width}.done({.round_medians_s = slow_waves, .span_s = 6})));
}

TEST(StopRules, EndHealthyCasesSoon) {
  Synthetic s(2);
  const Converged rule{};
  for (const auto& [sigma, most] : {std::pair(0.02, 22.0), std::pair(0.03, 26.0), std::pair(0.05, 50.0)}) {
    double rounds = 0;
    constexpr int trials = 200;
    for (int t = 0; t < trials; ++t) {
      const auto all = s.lognormals(300, sigma);
      std::size_t n = 6;
      while (n < all.size() && !rule.done({.round_medians_s = std::span(all).first(n), .span_s = 9})) ++n;
      rounds += static_cast<double>(n) / trials;
    }
    EXPECT_LT(rounds, most) << sigma;
  }
}

TEST(StopRules, WidenTheIntervalThatStoppedSampling) {
  const auto rounds = Synthetic(3).lognormals(40, 0.05);
  const std::array<StopRule, 1> fixed{FixedCount{.samples = 40}};
  const std::array<StopRule, 2> looking{CaseBudget{.seconds = 1}, Converged{}};
  const auto plain = stated_interval(fixed, rounds, 0.95), wider = stated_interval(looking, rounds, 0.95);
  ASSERT_TRUE(plain && wider);
  EXPECT_EQ(plain->low, series_median_interval(rounds, 0.95)->low);
  EXPECT_GT(relative_half_width(*wider), relative_half_width(*plain));
  EXPECT_LT(relative_half_width(*wider), 1.15 * relative_half_width(*plain));
  EXPECT_EQ(wider->confidence, 0.95);
}

}  // namespace
}  // namespace busbar::test
