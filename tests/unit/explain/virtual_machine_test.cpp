// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/explain/made_up.hpp"

namespace busbar::explain::test {
namespace {

Run guest() {
  busbar::Run run = quiet_run();
  for (Host& host : run.head.hosts) host.virtualisation = "KVM";
  return run;
}

TEST(VirtualMachine, CountsStolenTimeOncePerHost) {
  busbar::Run run = guest();
  for (CaseRecord& c : run.cases)
    for (std::size_t rank = 0; rank < 2; ++rank) c.usage[rank].host_stolen_s = 0.5 * 64 * 0.1;
  const auto findings = apply_rule("virtual_machine", run);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].evidence,
            std::vector<std::string>{"a: 10 % of the time of all its CPUs, during 11 s of cases."});
  EXPECT_EQ(findings[0].where.hosts, std::vector<std::string>{"a"});
}

TEST(VirtualMachine, ReportsRanksThatAreOftenDistant) {
  busbar::Run run = guest();
  run.end->settling = Settling{.best_barrier_s = 1.4e-7, .seconds = 6, .times = 5, .looks = 100, .far = 40};
  const auto findings = apply_rule("virtual_machine", run);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].certainty, Certainty::likely);
  EXPECT_THAT(text_of(findings[0]),
              HasSubstr("In 40 of 100 checks between rounds, a barrier took more than 1.8x its best time"));
  run.end->settling->far = 10;
  EXPECT_THAT(apply_rule("virtual_machine", run), IsEmpty());
}

TEST(VirtualMachine, SuspectsAHiddenTopologyAtLowBandwidth) {
  busbar::Run run = guest();
  add_gpus(run);
  for (Host& host : run.head.hosts) host.gpu_links->rows = {{"X", "PHB", "PHB"}, {"PHB", "X", "PHB"}};
  for (CaseRecord& c : run.cases) set_bandwidth(c, *c.time_s * 3, 1.5);
  const auto findings = apply_rule("virtual_machine", run);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].certainty, Certainty::possible);
  EXPECT_THAT(text_of(findings[0]), HasSubstr("ATS"));
  for (CaseRecord& c : run.cases) set_bandwidth(c, *c.time_s / 6, 1.5);
  EXPECT_THAT(apply_rule("virtual_machine", run), IsEmpty());
}

TEST(VirtualMachine, IsSilentOnQuietGuestsAndBareMetal) {
  EXPECT_THAT(apply_rule("virtual_machine", guest()), IsEmpty());
  busbar::Run run = quiet_run();
  run.end->settling = Settling{.best_barrier_s = 1.4e-7, .looks = 100, .far = 40};
  EXPECT_THAT(apply_rule("virtual_machine", run), IsEmpty());
}

}  // namespace
}  // namespace busbar::explain::test
