// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "tests/unit/explain/made_up.hpp"

namespace busbar::explain::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(TwoStates, TheFarthestApartAreToldFirst) {
  busbar::Run run = quiet();
  run.cases[1].modes = Modes{.low = {.median_s = 2e-5, .rounds = 30}, .high = {.median_s = 3e-5, .rounds = 10}};
  run.cases[4].modes = Modes{.low = {.median_s = 2e-5, .rounds = 25}, .high = {.median_s = 5e-5, .rounds = 15}};
  run.end->settling = Settling{.best_barrier_s = 1e-7, .times = 2, .looks = 40, .far = 6};
  const auto findings = said_by("two_states", run);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0].title, HasSubstr("2 of 22 cases have two states"));
  EXPECT_EQ(findings[0].evidence.at(0),
            "allreduce fp32 at 128 B: 25 rounds at 20 us and 15 at 50 us, 2.50 times as long.");
  EXPECT_THAT(text_of(findings[0]), HasSubstr("At 6 of 40 looks"));
}

TEST(TwoStates, IsSilentOfOneState) { EXPECT_THAT(said_by("two_states", quiet()), IsEmpty()); }

}  // namespace
}  // namespace busbar::explain::test
