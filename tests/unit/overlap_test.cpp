// SPDX-License-Identifier: Apache-2.0
#include "bench/engine/overlap.hpp"

#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "bench/engine/plan.hpp"
#include "core/record/calls/overlap.hpp"
#include "core/record/case_record.hpp"
#include "core/tables/overlap_table.hpp"
#include "tests/unit/catch_error.hpp"

namespace busbar::test {
namespace {

OverlapTimes times(double alone_s, double work_s, double total_s) {
  return {.alone_s = alone_s, .work_s = work_s, .total_s = total_s};
}

TEST(HiddenShare, IsOfTheShorterOfCallAndWork) {
  EXPECT_DOUBLE_EQ(*hidden_share(times(4, 4, 4)), 1);
  EXPECT_DOUBLE_EQ(*hidden_share(times(4, 4, 8)), 0);
  EXPECT_DOUBLE_EQ(*hidden_share(times(4, 4, 5)), 0.75);
  EXPECT_DOUBLE_EQ(*hidden_share(times(4, 2, 4)), 1) << "all of the work fits into the call";
  EXPECT_DOUBLE_EQ(*hidden_share(times(4, 8, 8)), 1) << "all of the call fits into the work";
  EXPECT_DOUBLE_EQ(*hidden_share(times(4, 8, 10)), 0.5);
}

TEST(HiddenShare, IsNotClipped) {
  EXPECT_DOUBLE_EQ(*hidden_share(times(4, 4, 10)), -0.5) << "the call slows the work down";
  EXPECT_DOUBLE_EQ(*hidden_share(times(4, 4, 3)), 1.25);
}

TEST(HiddenShare, EqualsOsusOverlapIfTheWorkIsNotShorter) {
  for (const OverlapTimes& t : {times(4, 4, 5), times(4, 7, 9), times(4, 4, 9)})
    EXPECT_DOUBLE_EQ(*hidden_share(t), 1 - (t.total_s - t.work_s) / t.alone_s);
}

TEST(HiddenShare, NeedsBothTimes) {
  EXPECT_FALSE(hidden_share(times(0, 4, 4)));
  EXPECT_FALSE(hidden_share(times(4, 0, 4)));
  EXPECT_FALSE(overlap_round({}));
  EXPECT_FALSE(overlap_of({}, 0.95));
}

TEST(OverlapRound, ToleratesSamplesThatWaitedForACpu) {
  std::vector<OverlapTimes> samples(3, times(4, 4, 5));
  samples.push_back(times(4000, 4, 5));
  samples.push_back(times(4, 4, 5000));
  samples.push_back(times(4, 4000, 5));
  samples.push_back(times(4, 4, 5000));
  EXPECT_DOUBLE_EQ(overlap_round(samples)->hidden, 0.75);
  EXPECT_DOUBLE_EQ(overlap_round(samples)->times.alone_s, 4);
}

TEST(Overlap, HasAnIntervalOverRounds) {
  std::vector<OverlapRound> rounds;
  for (const double hidden : {0.5, 0.7, 0.52, 0.68, 0.6, 0.61, 0.59, 0.55, 0.65, 0.6})
    rounds.push_back({.times = times(4, 4, 8 - 4 * hidden), .hidden = hidden});
  const Overlap all = overlap_of(rounds, 0.95).value();
  EXPECT_DOUBLE_EQ(all.hidden, 0.6);
  EXPECT_DOUBLE_EQ(all.alone_s, 4);
  ASSERT_TRUE(all.hidden_interval);
  EXPECT_LT(all.hidden_interval->low, 0.6);
  EXPECT_GT(all.hidden_interval->high, 0.6);
  rounds.resize(3);
  EXPECT_FALSE(overlap_of(rounds, 0.95)->hidden_interval) << "three rounds are too few";
}

/// Complete at the n-th test; fails at it if `fails`.
class Counted final : public Started {
 public:
  explicit Counted(int n, bool fails = false) : n_(n), fails_(fails) {}
  bool test() override {
    tested_by = std::this_thread::get_id();
    if (++tests < n_) return false;
    if (fails_) throw Error("broken");
    return true;
  }
  std::atomic<int> tests = 0;
  std::thread::id tested_by;

 private:
  int n_;
  bool fails_;
};

constexpr double short_s = 1e-4;  ///< ten parts

TEST(OverlapWork, TestsNothingForTheLibraryAlone) {
  OverlapWork work;
  Counted call(1);
  work.begin(Advance::library, short_s);
  work.work_beside(call);
  EXPECT_EQ(call.tests, 0);
  EXPECT_GT(work.end_ns(), work.begin_ns());
  EXPECT_GT(work.time_alone(), 0);
}

TEST(OverlapWork, PollsBetweenPartsUntilTheCallIsComplete) {
  OverlapWork work;
  Counted soon(3), never(1'000'000);
  work.begin(Advance::poll, short_s);
  work.work_beside(soon);
  EXPECT_EQ(soon.tests, 3);
  work.work_beside(never);
  EXPECT_EQ(never.tests, 9) << "between ten parts of 10 us";
  EXPECT_EQ(never.tested_by, std::this_thread::get_id());
  work.begin(Advance::poll, 1e-7);
  Counted of_four(1'000'000);
  work.work_beside(of_four);
  EXPECT_EQ(of_four.tests, 3) << "four parts at least";
}

TEST(OverlapWork, LetsAThreadTestUntilTheCallIsComplete) {
  OverlapWork work;
  work.begin(Advance::thread, short_s);
  for (int i = 0; i < 3; ++i) {
    Counted call(50);
    work.work_beside(call);
    EXPECT_EQ(call.tests, 50);
    EXPECT_NE(call.tested_by, std::this_thread::get_id());
  }
  work.rest();
  work.begin(Advance::thread, short_s);
  Counted again(5);
  work.work_beside(again);
  EXPECT_EQ(again.tests, 5);
}

TEST(OverlapWork, PassesErrorsOn) {
  OverlapWork work;
  for (const Advance how : {Advance::poll, Advance::thread}) {
    Counted call(2, true);
    work.begin(how, short_s);
    EXPECT_EQ(catch_error<Error>([&] { work.work_beside(call); }), "broken");
    Counted next(2);
    work.work_beside(next);
    EXPECT_EQ(next.tests, 2);
  }
}

TEST(Plan, CombinesFormsAndWork) {
  const Sweep sweep{.collectives = {try_find<Collective>("allreduce")},
                    .types = {DType::f32},
                    .ops = {Op::sum},
                    .sizes = {8},
                    .places = {false},
                    .forms = {CallForm::plain, CallForm::nonblocking, CallForm::persistent},
                    .advances = {Advance::library, Advance::poll},
                    .works = {50, 100}};
  const auto plan = make_plan(sweep, 2);
  ASSERT_EQ(plan.size(), 9U) << "plain, and twice two by two";
  EXPECT_FALSE(plan[0].advance);
  const Team team{.world = {.ranks = 2, .nodes = 1}};
  EXPECT_FALSE(key_of(plan[0], team, "mpi", "host").form);
  const CaseKey key = key_of(plan[4], team, "mpi", "host");
  EXPECT_EQ(key.form, "nonblocking");
  EXPECT_EQ(key.progress, "poll");
  EXPECT_EQ(key.work, 100);
  EXPECT_EQ(key_of(plan[8], team, "mpi", "host").form, "persistent");
}

TEST(OverlapTable, ShowsPercentages) {
  CaseRecord c;
  EXPECT_EQ(hidden_percent(c), "-");
  EXPECT_EQ(hidden_half_width(c), "-");
  c.overlap = Overlap{.hidden = -0.051, .hidden_interval = Interval{.low = -0.1, .high = 0.02, .confidence = 0.95}};
  EXPECT_EQ(hidden_percent(c), "-5.1");
  EXPECT_EQ(hidden_half_width(c), "6.0");
}

}  // namespace
}  // namespace busbar::test
