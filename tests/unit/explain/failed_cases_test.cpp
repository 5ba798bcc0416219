// SPDX-License-Identifier: Apache-2.0
#include "core/record/status.hpp"
#include "tests/unit/explain/made_up.hpp"

namespace busbar::explain::test {
namespace {

TEST(FailedCases, AreCountedByReason) {
  busbar::Run run = quiet_run();
  for (std::size_t i = 0; i < 3; ++i) {
    run.cases[i].status = Status::failed;
    run.cases[i].reason = i == 1 ? "rank 0: ncclInternalError" : "rank 1: out of host memory";
    run.cases[i].check.state = CheckState::off;
  }
  const auto findings = apply_rule("failed_cases", run);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].title, "3 of 22 cases failed");
  EXPECT_EQ(findings[0].evidence.at(0), "2 cases: rank 1: out of host memory (first: allreduce fp32 at 8 B).");
}

TEST(FailedCases, LeaveWrongDataToItsRule) {
  busbar::Run run = quiet_run();
  run.cases[0].status = Status::failed;
  run.cases[0].check.state = CheckState::failed;
  EXPECT_THAT(apply_rule("failed_cases", run), IsEmpty());
  EXPECT_THAT(apply_rule("failed_cases", quiet_run()), IsEmpty());
}

}  // namespace
}  // namespace busbar::explain::test
