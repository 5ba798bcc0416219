// SPDX-License-Identifier: Apache-2.0
// Rounds, and their modes, drift and remarks.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/json.hpp"
#include "core/record/parts.hpp"
#include "core/statistics/modes.hpp"
#include "core/statistics/remarks.hpp"
#include "core/statistics/round.hpp"
#include "core/statistics/trend.hpp"
#include "tests/unit/synthetic.hpp"

namespace busbar::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<Round> rounds_of(const std::vector<double>& medians, double early = 0) {
  std::vector<Round> rounds;
  for (const double m : medians)
    rounds.push_back({.at_s = static_cast<double>(rounds.size()),
                      .samples = 100,
                      .median_s = m,
                      .early_s = early > 0 ? std::optional(m * early) : std::nullopt});
  return rounds;
}

TEST(PacedTime, IsTheTrimmedGeometricMeanOfBoth) {
  std::vector<Round> rounds = rounds_of({1, 2, 4, 1000, 1e-9});
  const std::vector<double> pace{2, 4, 8, 1e-9, 1000};
  for (std::size_t i = 0; i < rounds.size(); ++i) rounds[i].pace_s = pace[i];
  const PacedTime p = paced_time(rounds).value();
  EXPECT_DOUBLE_EQ(p.time_s, 2);
  EXPECT_DOUBLE_EQ(p.pace_s, 4);
}

TEST(PacedTime, IsMissingWithoutThePaceOfAllRounds) {
  std::vector<Round> rounds = rounds_of({1, 2});
  EXPECT_FALSE(paced_time({}));
  EXPECT_FALSE(paced_time(rounds));
  rounds[0].pace_s = 1e-6;
  EXPECT_FALSE(paced_time(rounds));
}

TEST(Modes, AreFoundInClearGroups) {
  const auto modes = two_modes(std::vector<double>{1.0, 2.0, 1.01, 2.02, 0.99, 1.98, 1.02, 0.98, 1.0, 2.0, 1.01, 0.99});
  ASSERT_TRUE(modes);
  EXPECT_EQ(modes->low.rounds, 8U);
  EXPECT_DOUBLE_EQ(modes->low.median_s, 1.0);
  EXPECT_EQ(modes->high.rounds, 4U);
  EXPECT_DOUBLE_EQ(modes->high.median_s, 2.0);
}

TEST(Modes, AreNotFoundInFewEqualOrCloseValuesOrOutliers) {
  EXPECT_FALSE(two_modes({}));
  EXPECT_FALSE(two_modes(std::vector<double>{1, 1, 2, 2, 2}));
  EXPECT_FALSE(two_modes(std::vector<double>(20, 1.0)));
  auto close = std::vector<double>(20, 1.0);
  std::fill_n(close.begin(), 10, 1.1);
  EXPECT_FALSE(two_modes(close));
  auto outliers = Synthetic(1).lognormals(30, 0.02);
  for (std::size_t i = 0; i < 4; ++i) outliers[7 * i] *= 5;
  EXPECT_FALSE(two_modes(outliers));
}

TEST(Modes, AreRarelyFoundInOneGroup) {
  Synthetic s(2);
  for (const std::size_t n : {5U, 6U, 8U, 10U, 15U, 20U, 50U, 200U}) {
    const int trials = n > 50 ? 1000 : 4000;
    EXPECT_LE(share_of(trials, [&] { return two_modes(s.lognormals(n, 0.3)).has_value(); }), 0.005) << n;
    EXPECT_LE(share_of(trials, [&] { return two_modes(s.correlated(n, 0.6, 0.3)).has_value(); }), 0.005) << n;
    EXPECT_LE(
        share_of(trials,
                 [&] { return two_modes(Synthetic::series(n, [&] { return std::exp(s.uniform()); })).has_value(); }),
        0.005)
        << n;
    EXPECT_LE(
        share_of(
            trials,
            [&] { return two_modes(Synthetic::series(n, [&] { return std::pow(s.uniform(), -0.5); })).has_value(); }),
        0.005)
        << n;
  }
}

TEST(Modes, AreFoundInTwoGroups) {
  Synthetic s(3);
  const auto found = [&](std::size_t n, double share, double ratio, double sigma) {
    return share_of(500, [&] { return two_modes(s.two_states(n, share, ratio, sigma)).has_value(); });
  };
  EXPECT_GE(found(20, 0.5, 1.3, 0.03), 0.9);
  EXPECT_GE(found(20, 0.5, 2.2, 0.05), 0.98);
  EXPECT_GE(found(20, 0.3, 2.2, 0.05), 0.85);
  EXPECT_GE(found(50, 0.3, 1.3, 0.03), 0.93);
  EXPECT_GE(found(50, 0.3, 1.5, 0.05), 0.93);
  EXPECT_GE(found(100, 0.4, 1.3, 0.05), 0.9);
  EXPECT_GE(found(100, 0.4, 3.0, 0.05), 0.99);
}

TEST(Drift, IsTheSlopeOfALine) {
  std::vector<double> line;
  for (int i = 0; i <= 20; ++i) line.push_back(1 + 0.003 * i);
  const auto found = drift(line);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->relative_change, 0.06 / 1.03, 1e-12);
  EXPECT_LT(found->p, 1e-6);
}

TEST(Drift, IsNotFoundInFewEqualOrIndependentValues) {
  EXPECT_FALSE(drift(std::vector<double>{1, 2, 3, 4, 5, 6, 7}));
  EXPECT_FALSE(drift(std::vector<double>(30, 1.0)));
  Synthetic s(4);
  for (const std::size_t n : {8U, 20U, 100U})
    EXPECT_LE(share_of(2000, [&] { return drift(s.lognormals(n, 0.05)).has_value(); }), 0.014) << n;
  EXPECT_LE(share_of(1000, [&] { return drift(s.correlated(50, 0.6, 0.05)).has_value(); }), 0.05);
}

TEST(Drift, IsFoundInNoise) {
  Synthetic s(5);
  EXPECT_GE(share_of(300,
                     [&] {
                       auto values = s.lognormals(50, 0.03);
                       for (std::size_t i = 0; i < values.size(); ++i) values[i] *= 1 - 0.002 * static_cast<double>(i);
                       const auto found = drift(values);
                       return found && found->relative_change < -0.04;
                     }),
            0.95);
}

TEST(Remarks, AreEmptyOnNoise) {
  EXPECT_THAT(remarks({}), IsEmpty());
  EXPECT_THAT(remarks(rounds_of({1.0})), IsEmpty());
  EXPECT_THAT(remarks(rounds_of(std::vector<double>(50, 1e-6), 1.0)), IsEmpty());
  Synthetic s(6);
  for (const std::size_t n : {3U, 10U, 20U, 50U, 150U})
    for (const double sigma : {0.02, 0.3})
      EXPECT_LE(share_of(2000,
                         [&] {
                           auto rounds = rounds_of(s.lognormals(n, sigma));
                           for (Round& r : rounds) r.early_s = r.median_s * s.lognormal(0.5 * sigma);
                           return !remarks(rounds).empty();
                         }),
                0.01)
          << n << " rounds, sigma " << sigma;
}

TEST(Remarks, ReportTwoGroups) {
  std::vector<double> medians;
  for (int i = 0; i < 50; ++i) medians.push_back(i * 7 % 50 < 31 ? 180e-9 : 450e-9);
  EXPECT_THAT(remarks(rounds_of(medians)),
              ElementsAre("bimodal: 31 rounds at 180 ns, 19 at 450 ns; the median is over both"));
}

TEST(Remarks, ReportDrift) {
  auto medians = Synthetic(7).lognormals(40, 0.005);
  for (std::size_t i = 0; i < medians.size(); ++i) medians[i] *= 1 + 0.0015 * static_cast<double>(i);
  EXPECT_THAT(remarks(rounds_of(medians)), ElementsAre("times rose by 6 % from the first round to the last"));
}

TEST(Remarks, ReportAWarmUpOfRounds) {
  auto medians = Synthetic(8).lognormals(40, 0.01);
  for (std::size_t i = 0; i < 10; ++i) medians[i] *= 1.1;
  EXPECT_THAT(remarks(rounds_of(medians)),
              ElementsAre("the first 10 rounds were 10 % slower than the others: warm-up had not ended"));
}

TEST(Remarks, ReportAWarmUpInEachRound) {
  EXPECT_THAT(remarks(rounds_of(Synthetic(9).lognormals(20, 0.02), 1.05)),
              ElementsAre("the first quarter of a round's samples is 5 % slower than the round: calls were not warm"));
}

TEST(Remarks, ReportCorrelatedRounds) {
  const auto said = remarks(rounds_of(Synthetic(11).correlated(100, 0.7, 0.05)));
  ASSERT_EQ(said.size(), 1U);
  EXPECT_THAT(said[0], testing::MatchesRegex("successive rounds are correlated .r = 0.[4-7].: 100 rounds count as "
                                             "[1-4][0-9]"));
}

TEST(Round, IsReadBackFromJson) {
  const Round full{.at_s = 0.5, .samples = 101, .kept = 50, .median_s = 1.5e-6, .early_s = 1.75e-6, .contended = false};
  const nlohmann::json j = full;
  EXPECT_EQ(
      j.dump(),
      R"({"at_s":0.5,"barrier_s":null,"contended":false,"early_s":1.75e-06,"kept":50,"mean_s":null,"median_s":1.5e-06,"pace_s":null,"samples":101})");
  const auto back = j.get<Round>();
  EXPECT_EQ(back.samples, 101U);
  EXPECT_EQ(back.early_s, 1.75e-6);
  EXPECT_EQ(back.contended, false);
  const nlohmann::json unknown = Round{.samples = 3, .median_s = 1};
  EXPECT_TRUE(unknown.at("early_s").is_null());
  EXPECT_FALSE(unknown.get<Round>().contended);
}

}  // namespace
}  // namespace busbar::test
