// SPDX-License-Identifier: Apache-2.0
#include "core/record/end_record.hpp"
#include "tests/unit/explain/made_up.hpp"

namespace busbar::explain::test {
namespace {

TEST(EndedEarly, NamesReasonAndRemedyOfACrash) {
  busbar::Run run = quiet_run();
  run.cases.resize(3);
  run.end = EndRecord{.status = EndStatus::aborted, .reason = "node7: Test NCCL failure 'unhandled system error'"};
  const auto findings = apply_rule("ended_early", run);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].title, "the run ended early: aborted");
  EXPECT_THAT(text_of(findings[0]), HasSubstr("unhandled system error"));
  EXPECT_THAT(text_of(findings[0]), HasSubstr("3 cases were measured before the end; last: allreduce fp32 at 32 B."));
  EXPECT_THAT(text_of(findings[0]), HasSubstr("NCCL_DEBUG=INFO"));
}

TEST(EndedEarly, ReportsARecordWithoutEnd) {
  busbar::Run run = quiet_run();
  run.end.reset();
  run.cases.clear();
  const auto findings = apply_rule("ended_early", run);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(text_of(findings[0]), HasSubstr("No case was measured."));
}

TEST(EndedEarly, ReportsARunWithoutCases) {
  busbar::Run run = quiet_run();
  run.cases.clear();
  run.end = EndRecord{.status = EndStatus::failed, .reason = "no case could be measured", .cases = {.skipped = 4}};
  EXPECT_EQ(apply_rule("ended_early", run).at(0).title, "nothing could be measured");
}

TEST(EndedEarly, IsSilentOnFinishedRunsAndUnknownEnds) {
  busbar::Run run = quiet_run();
  EXPECT_THAT(apply_rule("ended_early", run), IsEmpty());
  run.end->status = EndStatus::unknown;
  EXPECT_THAT(apply_rule("ended_early", run), IsEmpty());
}

}  // namespace
}  // namespace busbar::explain::test
