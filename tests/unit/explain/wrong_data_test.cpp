// SPDX-License-Identifier: Apache-2.0
#include "core/record/check.hpp"
#include "core/record/status.hpp"
#include "tests/unit/explain/made_up.hpp"

namespace busbar::explain::test {
namespace {

TEST(WrongData, NamesRanksTheirHostAndTheFirstElement) {
  busbar::Run run = quiet_run();
  CaseRecord& c = run.cases[3];
  c.status = Status::failed;
  c.check = {.state = CheckState::failed,
             .calls_checked = 5,
             .wrong_ranks = {2},
             .first = WrongElement{.rank = 2, .index = 17, .expected = "6", .found = "0", .call = 5, .phase = "timed"}};
  const auto findings = apply_rule("wrong_data", run);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].certainty, Certainty::known);
  EXPECT_EQ(findings[0].title, "results were wrong in 1 of 22 cases");
  EXPECT_THAT(text_of(findings[0]),
              HasSubstr("allreduce fp32 at 64 B: rank 2, element 17 was 0, expected 6 (call 5, timed)."));
  EXPECT_THAT(text_of(findings[0]), HasSubstr("Only one rank saw it"));
  EXPECT_EQ(findings[0].where.ranks, std::vector{2});
  EXPECT_EQ(findings[0].where.hosts, std::vector<std::string>{"b"});
}

TEST(WrongData, IsSilentOnPassedChecks) { EXPECT_THAT(apply_rule("wrong_data", quiet_run()), IsEmpty()); }

TEST(WrongData, HasNoDataWithoutChecks) {
  EXPECT_FALSE(try_find<Rule>("wrong_data")->has_data(imported_run(smooth_s, smooth_s)));
}

}  // namespace
}  // namespace busbar::explain::test
