// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "tests/unit/explain/made_up.hpp"

namespace busbar::explain::test {
namespace {

/// A run in which two groups called at the same time, and the second took `ratio` times as long in the sizes above
/// `above`, with an interval of 10 % either way.
Run with_groups(double ratio, std::uint64_t above) {
  Run run = quiet_run();
  for (CaseRecord& c : run.cases) {
    c.key.group = "rank / 2";
    c.key.ranks = 2;
    for (int g = 0; g < 2; ++g) {
      const double its_ratio = g == 1 && c.key.bytes > above ? ratio : 1;
      c.groups.push_back(
          {.kind = "rank / 2",
           .group = g,
           .ranks = g == 0 ? "0-1" : "2-3",
           .time_s = *c.time_s * its_ratio,
           .over_others = its_ratio,
           .over_others_interval = Interval{.low = 0.9 * its_ratio, .high = 1.1 * its_ratio, .confidence = 0.975}});
    }
  }
  return run;
}

TEST(SlowGroups, NamesAGroupThatIsSlowerInEveryCase) {
  const auto findings = apply_rule("slow_groups", with_groups(1.4, 0));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].certainty, Certainty::known);
  EXPECT_EQ(findings[0].title, "group 1 of rank / 2 (ranks 2-3 on b) is slower than the other groups");
  EXPECT_THAT(text_of(findings[0]), HasSubstr("1.40x the median of the other groups (1.26 to 1.54 over rounds)"));
  EXPECT_EQ(findings[0].where.ranks, (std::vector<int>{2, 3}));
  EXPECT_EQ(findings[0].where.hosts, (std::vector<std::string>{"b"}));
}

TEST(SlowGroups, IsLikelyInSomeCases) {
  const auto findings = apply_rule("slow_groups", with_groups(2, 1 << 20));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].certainty, Certainty::likely);
}

TEST(SlowGroups, IgnoresDifferencesWithinTheIntervals) {
  EXPECT_THAT(apply_rule("slow_groups", with_groups(1.1, 0)), IsEmpty());
  auto without = with_groups(1.4, 0);
  for (CaseRecord& c : without.cases)
    for (GroupTime& g : c.groups) g.over_others_interval.reset();
  EXPECT_THAT(apply_rule("slow_groups", without), IsEmpty());
  EXPECT_THAT(apply_rule("slow_groups", quiet_run()), IsEmpty());
}

TEST(SlowGroups, BearsRanksThatCannotBe) {
  auto run = with_groups(1.4, 0);
  for (CaseRecord& c : run.cases) c.groups[1].ranks = "0-16777216,x";
  EXPECT_THAT(apply_rule("slow_groups", run), SizeIs(1));
}

}  // namespace
}  // namespace busbar::explain::test
