// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/explain/made_up.hpp"

namespace busbar::explain::test {
namespace {

/// The first `cases` cases ended by a budget, plus or minus `width`.
Run cut_short(std::size_t cases, double width) {
  busbar::Run run = quiet_run();
  for (std::size_t i = 0; i < cases; ++i) {
    CaseRecord& c = run.cases[i];
    c.ended_by = EndedBy::time_budget;
    c.interval_s = Interval{.low = *c.time_s * (1 - width), .high = *c.time_s * (1 + width), .confidence = 0.95};
    c.wall_s = 3;
  }
  return run;
}

TEST(WideIntervals, NameWidthAndSufficientBudget) {
  const auto findings = apply_rule("wide_intervals", cut_short(5, 0.08));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].title, "5 of 22 cases missed the target precision by more than 2x");
  EXPECT_THAT(text_of(findings[0]),
              HasSubstr("The target half-width is 2.0 %; a budget or limit ended 5 of 22 cases before that. The widest "
                        "half-width is 8.0 %"));
  // Four times too wide wants 16 times the rounds: 48 s a case, and 17 others of 0.6 s.
  EXPECT_THAT(text_of(findings[0]), HasSubstr("--time-budget 48 --run-budget 260 for all cases"));
}

TEST(WideIntervals, NameNoBudgetOfHours) {
  EXPECT_THAT(text_of(apply_rule("wide_intervals", cut_short(20, 0.5)).at(0)), HasSubstr("No budget below an hour"));
}

TEST(WideIntervals, AreSilentOnNearlyMetOrUnrequestedTargets) {
  EXPECT_THAT(apply_rule("wide_intervals", cut_short(5, 0.03)), IsEmpty());
  EXPECT_THAT(apply_rule("wide_intervals", quiet_run()), IsEmpty());
  busbar::Run run = cut_short(5, 0.08);
  for (CaseRecord& c : run.cases) c.ended_by = EndedBy::count;
  EXPECT_THAT(apply_rule("wide_intervals", run), IsEmpty());
}

}  // namespace
}  // namespace busbar::explain::test
