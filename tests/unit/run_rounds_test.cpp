// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/run_rounds.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/thread_ranks.hpp"

namespace busbar::test {
namespace {

/// Case i ends after i + 1 visits. Keeps what it was asked.
class Script : public RoundTask {
 public:
  void begin_round(int round, double /*last_s*/) override { rounds = round; }
  void visit(const Turn& turn) override {
    turns.push_back(turn);
    ++visits[turn.at];
  }
  [[nodiscard]] std::optional<EndedBy> ended(const Turn& turn) override {
    if (turns.size() == run_budget_after) return EndedBy::run_budget;
    return visits[turn.at] > turn.at ? std::optional(EndedBy::converged) : std::nullopt;
  }
  [[nodiscard]] bool interrupted() const override { return turns.size() == interrupted_after; }
  void keep(const Turn&) override { ++kept; }
  void conclude(std::size_t at, EndedBy by) override { concluded.emplace(at, by); }

  std::size_t run_budget_after = 0, interrupted_after = 0;  ///< turns; 0: never
  int rounds = 0, kept = 0;
  std::vector<Turn> turns;
  std::map<std::size_t, std::size_t> visits;
  std::multimap<std::size_t, EndedBy> concluded;
};

std::vector<std::size_t> order_of_round(const Script& script, int round) {
  std::vector<std::size_t> all;
  for (const Turn& turn : script.turns)
    if (turn.round == round) all.push_back(turn.at);
  return all;
}

TEST(Rounds, VisitCasesUntilEachHasEnded) {
  run_ranks(2, [](Group& group, Backend&) {
    Script script;
    run_rounds(group, script, 5);
    EXPECT_EQ(script.rounds, 5);
    EXPECT_EQ(script.turns.size(), 15U);
    EXPECT_EQ(script.kept, 10);
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_EQ(script.visits[i], i + 1);
      EXPECT_EQ(script.concluded.count(i), 1U);
      EXPECT_EQ(script.concluded.find(i)->second, EndedBy::converged);
    }
  });
}

TEST(Rounds, HaveEveryActiveCaseOnceInANewOrder) {
  run_ranks(1, [](Group& group, Backend&) {
    Script script;
    run_rounds(group, script, 8);
    auto first = order_of_round(script, 1), second = order_of_round(script, 2);
    EXPECT_NE(std::vector(first.begin(), first.begin() + 7), second);
    std::ranges::sort(first);
    std::ranges::sort(second);
    EXPECT_EQ(first, (std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(second, (std::vector<std::size_t>{1, 2, 3, 4, 5, 6, 7}));
  });
}

TEST(Rounds, TellWhatComesNextAndWhatIsLeft) {
  run_ranks(1, [](Group& group, Backend&) {
    Script script;
    script.run_budget_after = 3;
    run_rounds(group, script, 3);
    EXPECT_EQ(script.turns[0].next, script.turns[1].at);
    EXPECT_EQ(script.turns[2].next, script.turns[0].at);
    EXPECT_TRUE(script.turns[2].last);
    EXPECT_FALSE(script.turns[1].last);
    EXPECT_EQ(script.turns[0].active, 3U);
    EXPECT_EQ(script.turns[2].active, 2U);
  });
}

TEST(Rounds, EndAllCasesTogetherWhenTheLaunchEnds) {
  run_ranks(2, [](Group& group, Backend&) {
    Script script;
    script.run_budget_after = group.rank() == 0 ? 5 : 2;  // rank 0's answer counts
    run_rounds(group, script, 4);
    EXPECT_EQ(script.turns.size(), 5U);
    EXPECT_EQ(script.concluded.size(), 4U);
    EXPECT_EQ(std::ranges::count(script.concluded, EndedBy::run_budget, [](const auto& c) { return c.second; }), 3);
  });
}

TEST(Rounds, EndOnAllRanksIfOneIsInterrupted) {
  run_ranks(3, [](Group& group, Backend&) {
    Script script;
    if (group.rank() == 2) script.interrupted_after = 2;
    run_rounds(group, script, 4);
    EXPECT_EQ(script.turns.size(), 2U);
    EXPECT_EQ(script.concluded.size(), 4U);
    EXPECT_GE(std::ranges::count(script.concluded, EndedBy::interrupted, [](const auto& c) { return c.second; }), 3);
  });
}

}  // namespace
}  // namespace busbar::test
