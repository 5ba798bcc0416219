// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/explain/made_up.hpp"

namespace busbar::explain::test {
namespace {

/// These ranks are late in the first `cases` cases.
Run late_run(std::vector<int> ranks, std::size_t cases) {
  busbar::Run run = quiet_run();
  for (std::size_t i = 0; i < cases; ++i)
    for (const int rank : ranks)
      run.cases[i].arrival->late.push_back(
          {.rank = rank, .host = rank < 2 ? "a" : "b", .last_share = 0.8, .behind_s = 5e-6});
  return run;
}

TEST(SlowRanks, NameARankThatIsOftenLate) {
  const auto findings = apply_rule("slow_ranks", late_run({3}, 12));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].certainty, Certainty::known);
  EXPECT_EQ(findings[0].title, "rank 3 (b) lags behind the others");
  EXPECT_EQ(findings[0].evidence.at(0),
            "rank 3 (b): it arrives last more often than by chance in 12 of 22 cases (80 % of the samples), 5 us "
            "behind the first rank.");
  EXPECT_THAT(findings[0].where.hosts, IsEmpty());
}

TEST(SlowRanks, NameAHostWhoseRanksAreAllSlow) {
  const auto findings = apply_rule("slow_ranks", late_run({2, 3}, 12));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].title, "all ranks of b lag behind the others");
  EXPECT_EQ(findings[0].where.hosts, std::vector<std::string>{"b"});
  EXPECT_THAT(text_of(findings[0]), HasSubstr("hostfile"));
}

TEST(SlowRanks, AreLikelyByTheirOwnMedians) {
  busbar::Run run = quiet_run();
  for (CaseRecord& c : run.cases) c.ranks[2].median_s *= 1.5;
  const auto findings = apply_rule("slow_ranks", run);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].certainty, Certainty::likely);
  EXPECT_THAT(text_of(findings[0]), HasSubstr("rank 2 (b): in 22 of 22 cases its own median time is"));
  for (CaseRecord& c : run.cases) c.key.collective = "broadcast";  // where ranks do different things
  EXPECT_THAT(apply_rule("slow_ranks", run), IsEmpty());
}

TEST(SlowRanks, NameASlowRankWithItsClock) {
  busbar::Run run = quiet_run();
  add_gpus(run);
  run.cases.resize(2);
  for (CaseRecord& c : run.cases) {
    c.key.kind = CaseKind::training;
    c.key.training = TrainingKey{};
    c.training = Training{};
    c.training->slow_ranks = {{.rank = 1, .host = "a", .compute_s = 0.15, .others_compute_s = 0.1}};
    c.telemetry[1].sm_clock_MHz->median = 1200;
  }
  const auto text = text_of(apply_rule("slow_ranks", run).at(0));
  EXPECT_THAT(text, HasSubstr("in 2 of 2 cases of training its compute time is 1.50x that of the median rank"));
  EXPECT_THAT(text, HasSubstr("Its GPU has an SM clock of 1200 MHz, the median rank 1980 MHz"));
}

TEST(SlowRanks, IgnoreARankThatIsRarelyLate) {
  EXPECT_THAT(apply_rule("slow_ranks", late_run({3}, 3)), IsEmpty());
  EXPECT_THAT(apply_rule("slow_ranks", quiet_run()), IsEmpty());
}

}  // namespace
}  // namespace busbar::explain::test
