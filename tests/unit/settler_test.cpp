// SPDX-License-Identifier: Apache-2.0
#include "bench/engine/settler.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/machine/local_clock.hpp"
#include "tests/unit/thread_ranks.hpp"

namespace busbar::test {
namespace {

/// Has seen `n` barriers of 150 ns.
SettleRule quiet(int n) {
  SettleRule rule;
  for (int i = 0; i < n; ++i) rule.saw(150e-9);
  return rule;
}

TEST(SettleRule, SettlesForTheGivenTimeAtFirst) {
  const SettleRule rule = quiet(1);
  EXPECT_TRUE(rule.more(0.5, 0, 100));
  EXPECT_TRUE(rule.more(0.5, 0.45, 100));
  EXPECT_FALSE(rule.more(0.5, 0.5, 100));
  EXPECT_FALSE(rule.more(0, 0, 100));
}

TEST(SettleRule, ContinuesWhileRanksAreDistantUpToItsLimit) {
  SettleRule rule = quiet(5);
  rule.saw(440e-9);
  EXPECT_TRUE(rule.far());
  EXPECT_TRUE(rule.more(0, 0, 100));
  EXPECT_TRUE(rule.more(0, SettleRule::most_s - 1.5 * SettleRule::step_s, 100));
  EXPECT_FALSE(rule.more(0, SettleRule::most_s - 0.5 * SettleRule::step_s, 100));
  rule.saw(200e-9);
  EXPECT_FALSE(rule.far()) << "states that differ by less than 1.8 are none of its business";
  EXPECT_FALSE(rule.more(0, 0.1, 100));
}

TEST(SettleRule, DetectsDistanceFromTheStartByEarlierLaunches) {
  SettleRule rule(150e-9);
  rule.saw(440e-9);
  EXPECT_TRUE(rule.far());
  EXPECT_TRUE(rule.more(0, 0.4, 100));
  EXPECT_FALSE(rule.more(0, 0.4, 1)) << "two fifths of what is left, at most";
  rule.saw(160e-9);
  EXPECT_FALSE(rule.far());
}

TEST(SettleRule, KnowsNearRanksByEarlierLaunches) {
  SettleRule known(150e-9), unknown;
  for (SettleRule* rule : {&known, &unknown}) rule->saw(160e-9);
  EXPECT_TRUE(known.near());
  EXPECT_FALSE(unknown.near()) << "the first launch has nothing to compare with";
  known.saw(440e-9);
  EXPECT_FALSE(known.near());
}

TEST(SettleRule, ToleratesOneLuckyCheck) {
  SettleRule rule;
  rule.saw(100e-9);
  for (int i = 0; i < 20; ++i) {
    rule.saw(200e-9);
    EXPECT_FALSE(rule.far()) << i;
  }
  EXPECT_DOUBLE_EQ(rule.best_s(), 100e-9);
  EXPECT_DOUBLE_EQ(rule.usual_s(), 200e-9);
}

TEST(SettleRule, GivesUpIfItDoesNotHelp) {
  SettleRule rule = quiet(8);
  for (int i = 0; i < SettleRule::most_in_vain; ++i) {
    rule.saw(440e-9);
    EXPECT_TRUE(rule.worth(0, 100)) << i;
    rule.saw(440e-9);
    rule.settled();
  }
  EXPECT_TRUE(rule.gave_up());
  EXPECT_TRUE(rule.far());
  EXPECT_FALSE(rule.worth(0, 100));
}

TEST(SettleRule, ContinuesAfterOneSuccess) {
  SettleRule rule = quiet(8);
  rule.saw(440e-9);
  rule.settled();
  rule.saw(150e-9);
  rule.settled();
  rule.saw(440e-9);
  rule.settled();
  EXPECT_FALSE(rule.gave_up());
}

TEST(SettleRule, TakesATwentiethOfTheRunAtMost) {
  SettleRule rule = quiet(5);
  EXPECT_FALSE(rule.worth(0, 100)) << "all is near";
  rule.saw(440e-9);
  EXPECT_TRUE(rule.worth(0.4, 0)) << "something is left for the first rounds";
  EXPECT_FALSE(rule.worth(0.6, 0));
  EXPECT_TRUE(rule.worth(5, 100));
  EXPECT_FALSE(rule.worth(6, 100));
}

TEST(WakeRing, WakesEveryRankOfAHostButALoneOne) {
  for (const auto& hosts : {std::vector{0, 0}, std::vector{0, 0, 0, 1}, std::vector{1, 0, 1, 0, 0}}) {
    const auto lonely = [&](std::size_t r) { return std::ranges::count(hosts, hosts[r]) == 1; };
    std::vector<std::uint64_t> woken(hosts.size());
    run_ranks(static_cast<int>(hosts.size()), [&](Group& group, Backend&) {
      const auto me = static_cast<std::size_t>(group.rank());
      const WakeRing ring(group, hosts);
      double waits = 1;
      for (int turn = 0; turn < 300 && waits > 0; ++turn) {  // a machine with other work may take long to wake a thread
        const std::int64_t begin = steady_ns();
        woken[me] += ring.turn(0.1, 100e-6);
        EXPECT_GE(steady_ns() - begin, 100'000'000);
        waits = lonely(me) || woken[me] >= 2 ? 0 : 1;
        group.max({&waits, 1});
      }
    });
    for (std::size_t r = 0; r < hosts.size(); ++r) {
      if (lonely(r))
        EXPECT_EQ(woken[r], 0U) << "rank " << r << " is alone";
      else
        EXPECT_GE(woken[r], 2U) << "rank " << r;
    }
  }
}

TEST(Settler, ReportsItsChecksAndActions) {
  run_ranks(2, [](Group& group, Backend&) {
    Settler settler(group, {0, 0});
    settler.begin(20);
    for (int i = 1; i <= 3; ++i) settler.watch_barrier(i, 20);
    const Settling& facts = settler.facts();
    EXPECT_GT(facts.best_barrier_s, 0);
    EXPECT_LE(facts.best_barrier_s, facts.first_barrier_s);
    EXPECT_GE(facts.seconds, SettleRule::first_s);
    EXPECT_GE(facts.times, 1);
    EXPECT_GT(facts.wakes, 0U);
    EXPECT_EQ(facts.looks, 3U);
    EXPECT_LE(facts.far, facts.looks);
  });
}

TEST(Settler, DoesNotSettleRanksThatAreNear) {
  run_ranks(2, [](Group& group, Backend&) {
    Settler settler(group, {0, 0}, 1.0);  // s: no barrier takes as long
    settler.begin(20);
    EXPECT_TRUE(settler.facts().near_at_start);
    EXPECT_EQ(settler.facts().times, 0);
  });
}

TEST(Settler, OnlyLooksWhereOthersUseTheCpus) {
  run_ranks(2, [](Group& group, Backend&) {
    Settler settler(group, {0, 0}, 1e-12);  // s: every barrier takes longer
    settler.begin(20, false);
    settler.watch_barrier(1, 20, false);
    EXPECT_EQ(settler.facts().looks, 1U);
    EXPECT_EQ(settler.facts().far, 1U);
    EXPECT_EQ(settler.facts().times, 0);
  });
}

TEST(Settler, WakesNobodyInVain) {
  run_ranks(2, [](Group& group, Backend&) {
    Settler settler(group, {0, 0});
    settler.begin(20, false);
    EXPECT_GT(settler.facts().first_barrier_s, 0);
    EXPECT_EQ(settler.facts().times, 0);
    EXPECT_EQ(settler.facts().wakes, 0U);
  });
}

}  // namespace
}  // namespace busbar::test
