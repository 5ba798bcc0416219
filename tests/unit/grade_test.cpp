// SPDX-License-Identifier: Apache-2.0
#include "core/grades/grade.hpp"

#include <gtest/gtest.h>

#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run.hpp"

namespace {

using namespace busbar;

Interval around(double time_s, double half_width) {
  return {.low = time_s * (1 - half_width), .high = time_s * (1 + half_width), .confidence = 0.95};
}

CaseRecord narrow_case() {
  CaseRecord c{.time_s = 1e-6, .interval_s = around(1e-6, 0.01), .interval_of_launches_s = around(1e-6, 0.04)};
  c.check.state = CheckState::passed;
  return c;
}

RunRecord known_spread() {
  RunRecord run;
  run.method.launch_spread = LaunchSpread{.relative = 0.02, .launches = 12};
  return run;
}

Grade grade_of(const CaseRecord& c, const RunRecord& run = known_spread()) { return Grader(run).grade_case(c)->grade; }

TEST(Grades, NarrowIntervalOfKnownLaunchesIsAnA) {
  const auto graded = Grader(known_spread()).grade_case(narrow_case());
  EXPECT_EQ(graded->grade, Grade::a) << graded->text();
  EXPECT_TRUE(graded->reasons.empty());
  EXPECT_EQ(graded->doubts(), "");
}

TEST(Grades, UnmeasuredCasesHaveNone) { EXPECT_FALSE(Grader().grade_case(CaseRecord{}).has_value()); }

TEST(Grades, OneLaunchIsAtMostB) {
  EXPECT_EQ(grade_of(narrow_case(), {}), Grade::b);
  RunRecord assumed;
  assumed.method.launch_spread = LaunchSpread{};
  EXPECT_EQ(grade_of(narrow_case(), assumed), Grade::b);
}

TEST(Grades, WidthsHaveTheirThresholds) {
  const auto of_width = [](double half_width) {
    CaseRecord c = narrow_case();
    c.interval_of_launches_s = around(1e-6, half_width);
    return grade_of(c);
  };
  EXPECT_EQ(of_width(0.049), Grade::a);
  EXPECT_EQ(of_width(0.06), Grade::b);
  EXPECT_EQ(of_width(0.21), Grade::c);
  EXPECT_EQ(of_width(0.55), Grade::d);
  CaseRecord none = narrow_case();
  none.interval_s = none.interval_of_launches_s = std::nullopt;
  EXPECT_EQ(grade_of(none), Grade::b);
  none.status = Status::partial;
  EXPECT_EQ(grade_of(none), Grade::c);
}

TEST(Grades, ContentionIsADUnlessLaterLaunchesAreKnownToAgree) {
  CaseRecord c = narrow_case();
  c.contention = Contention{.reasons = {"runnable but not running 53 % of the time"}};
  EXPECT_EQ(grade_of(c), Grade::c);
  c.interval_of_launches_s = std::nullopt;
  const auto graded = Grader(known_spread()).grade_case(c);
  EXPECT_EQ(graded->grade, Grade::d);
  EXPECT_EQ(graded->doubts(), "contention");
  EXPECT_EQ(graded->text(), "CPU contention: runnable but not running 53 % of the time");
}

TEST(Grades, WrongDataIsAD) {
  CaseRecord c = narrow_case();
  c.check.state = CheckState::failed;
  EXPECT_EQ(grade_of(c), Grade::d);
  c.check.state = CheckState::off;
  EXPECT_EQ(grade_of(c), Grade::b);
}

TEST(Grades, DoubtsOfTheRunCountForEachCase) {
  const auto of_run = [](auto change) {
    RunRecord run = known_spread();
    change(run);
    return grade_of(narrow_case(), run);
  };
  EXPECT_EQ(of_run([](RunRecord& r) { r.origin = Origin::simulated; }), Grade::c);
  EXPECT_EQ(of_run([](RunRecord& r) { r.method.shared_gpu = true; }), Grade::c);
  EXPECT_EQ(of_run([](RunRecord& r) { r.noise = {Noise{.stolen_share = 0.1}}; }), Grade::b);
  EXPECT_EQ(of_run([](RunRecord& r) { r.noise = {Noise{}, Noise{.stolen_share = 0.7}}; }), Grade::c);
  busbar::Run run{.head = known_spread(), .end = EndRecord{.over_earlier = OverEarlier{.ratio = 1.5, .launches = 9}}};
  EXPECT_EQ(Grader(run).grade_case(narrow_case())->doubts(), "unusual launch");
}

TEST(Grades, StatesOfTheRoundsCount) {
  CaseRecord c = narrow_case();
  c.modes = Modes{.low = {.median_s = 1e-6, .rounds = 9}, .high = {.median_s = 1.15e-6, .rounds = 5}};
  EXPECT_EQ(grade_of(c), Grade::b);
  c.modes->high.median_s = 2e-6;
  EXPECT_EQ(grade_of(c), Grade::c);
  CaseRecord drifting = narrow_case();
  drifting.remarks = {"times rose by 4 % over the rounds"};
  EXPECT_EQ(grade_of(drifting), Grade::b);
  CaseRecord missed = narrow_case();
  missed.samples_taken = 60;
  missed.invalid_samples = 40;
  EXPECT_EQ(grade_of(missed), Grade::b);
  CaseRecord throttled = narrow_case();
  throttled.throttled = true;
  EXPECT_EQ(grade_of(throttled), Grade::c);
}

TEST(Grades, CountsSayWhatDecides) {
  GradeCounts counts;
  CaseRecord contended = narrow_case();
  contended.contention = Contention{.reasons = {"waited 53 %"}};
  contended.interval_of_launches_s = std::nullopt;
  for (const CaseRecord& c : {narrow_case(), contended, contended})
    counts.add_case(*Grader(known_spread()).grade_case(c));
  EXPECT_EQ(counts.text(), "1 A, 2 D");
  EXPECT_EQ(counts.doubts(Grade::d), "contention (2)");
  EXPECT_EQ(counts.doubts(Grade::a), "");
}

}  // namespace
