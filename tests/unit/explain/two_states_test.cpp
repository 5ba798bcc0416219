// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/explain/made_up.hpp"

namespace busbar::explain::test {
namespace {

TEST(TwoStates, NameTheFarthestApartFirst) {
  busbar::Run run = quiet_run();
  run.cases[1].modes = Modes{.low = {.median_s = 2e-5, .rounds = 30}, .high = {.median_s = 3e-5, .rounds = 10}};
  run.cases[4].modes = Modes{.low = {.median_s = 2e-5, .rounds = 25}, .high = {.median_s = 5e-5, .rounds = 15}};
  run.end->settling = Settling{.best_barrier_s = 1e-7, .times = 2, .looks = 40, .far = 6};
  const auto findings = apply_rule("two_states", run);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0].title, HasSubstr("2 of 22 cases are bimodal"));
  EXPECT_EQ(findings[0].evidence.at(0), "allreduce fp32 at 128 B: 25 rounds at 20 us and 15 at 50 us, 2.50x slower.");
  EXPECT_THAT(text_of(findings[0]), HasSubstr("6 of 40 checks"));
}

/// A bimodal case, with the time of a fixed piece of work in either state.
busbar::Run with_pace(double fast_s, double slow_s) {
  busbar::Run run = quiet_run();
  CaseRecord& c = run.cases[1];
  c.modes = Modes{.low = {.median_s = 2e-5, .rounds = 30}, .high = {.median_s = 3e-5, .rounds = 10}};
  c.rounds.clear();
  for (int i = 0; i < 40; ++i) {
    const bool slow = i % 4 == 0;
    c.rounds.push_back(
        {.at_s = 0.1 * i, .samples = 9, .median_s = slow ? 3e-5 : 2e-5, .pace_s = slow ? slow_s : fast_s});
  }
  return run;
}

TEST(TwoStates, AreBlamedOnTheCpusByTheirPace) {
  EXPECT_THAT(text_of(apply_rule("two_states", with_pace(1e-6, 1.7e-6)).at(0)),
              HasSubstr("ran 1.70x slower: something else uses the cores"));
  EXPECT_THAT(text_of(apply_rule("two_states", with_pace(1e-6, 1.01e-6)).at(0)),
              HasSubstr("the cores are not the cause"));
  EXPECT_THAT(text_of(apply_rule("two_states", with_pace(1e-6, 1.1e-6)).at(0)), Not(HasSubstr("fixed piece of work")));
}

TEST(TwoStates, AreSilentOnOneState) { EXPECT_THAT(apply_rule("two_states", quiet_run()), IsEmpty()); }

}  // namespace
}  // namespace busbar::explain::test
