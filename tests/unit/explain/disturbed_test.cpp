// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "core/machine/contention.hpp"
#include "core/statistics/remarks.hpp"
#include "tests/unit/explain/made_up.hpp"

namespace busbar::explain::test {
namespace {

Contention contention(const std::function<void(Usage&)>& change) {
  Usage usage;
  usage.wall_s = 1;
  usage.cpu_s = 0.9;
  usage.waited_s = 0;
  usage.host_busy_s = 0.9;
  usage.voluntary = 1;
  change(usage);
  return contention_in_case({&usage, 1}, 1);
}

TEST(ContendedCpus, NameEachReasonOfContention) {
  const std::vector<std::pair<Contention, std::string>> all{
      {contention([](Usage& u) { u.waited_s = 0.3; }), "Ranks waited for a CPU: 22 cases."},
      {Contention{.reasons = {"waited 30 % of the time for a CPU"}}, "Ranks waited for a CPU: 22 cases."},
      {contention([](Usage& u) { u.voluntary = 0; }), "Ranks lost time to interrupts or the hypervisor: 22 cases."},
      {contention([](Usage& u) { u.throttled = 3; }), "A CPU quota throttled ranks: 22 cases."},
      {contention([](Usage& u) { u.host_stolen_s = 0.3; }), "The hypervisor stole CPU time: 22 cases."},
      {contention([](Usage& u) { u.host_busy_s = 1.9; }),
       "Other processes used CPUs that the ranks needed: 22 cases."}};
  for (const auto& [made, says] : all) {
    ASSERT_THAT(made.reasons, SizeIs(1)) << says;
    busbar::Run run = quiet_run();
    for (CaseRecord& c : run.cases) c.contention = made;
    EXPECT_THAT(text_of(apply_rule("contended_cpus", run).at(0)), HasSubstr("CPUs were contended in 22 of 22 cases"));
    EXPECT_THAT(text_of(apply_rule("contended_cpus", run).at(0)), HasSubstr(says));
  }
}

/// A case of 40 rounds with these times, and its remarks().
CaseRecord remarked(const std::function<double(int)>& median_s, double early) {
  busbar::test::Synthetic random(3);
  CaseRecord c = a_case(1024, 20e-6);
  for (int i = 0; i < 40; ++i) {
    const double s = median_s(i) * random.lognormal(0.002);
    c.rounds.push_back({.at_s = 1.0 * i, .samples = 51, .kept = 51, .median_s = s, .early_s = s * early});
  }
  c.remarks = remarks(c.rounds);
  return c;
}

TEST(Disturbed, NamesEachRemark) {
  const std::vector<std::pair<CaseRecord, std::string>> all{
      {remarked([](int i) { return 20e-6 * (1 + 0.005 * i); }, 1), "times rose from the first round to the last"},
      {remarked([](int i) { return 20e-6 * (2 - 0.005 * i); }, 1), "times fell from the first round to the last"},
      {remarked([](int i) { return i < 10 ? 22e-6 : 20e-6; }, 1), "warm-up had not ended"},
      {remarked([](int i) { return 20e-6 * (1 + 0.05 * std::sin(i * 0.6)); }, 1), "successive rounds are correlated"},
      {remarked([](int) { return 20e-6; }, 1.1), "the first calls of a round were slower"}};
  for (const auto& [c, says] : all) {
    busbar::Run run = quiet_run();
    run.cases.assign(4, c);
    EXPECT_THAT(text_of(apply_rule("disturbed", run).at(0)), HasSubstr("In 4 of 4 cases: ")) << says;
    EXPECT_THAT(text_of(apply_rule("disturbed", run).at(0)), HasSubstr(says));
  }
}

TEST(Disturbed, NoiseNamesTheWorstRank) {
  busbar::Run run = quiet_run();
  run.head.noise[2].stolen_share = 0.3;
  EXPECT_THAT(text_of(apply_rule("disturbed", run).at(0)),
              HasSubstr("1 of 4 ranks lost at least 5.0 % of their CPU time. Worst: rank 2 (b), 30 %"));
}

TEST(ContendedCpus, LeaveOversubscriptionToItsRule) {
  busbar::Run run = quiet_run();
  for (CaseRecord& c : run.cases) c.contention = Contention{.reasons = {"runnable but not running 60 % of the time"}};
  EXPECT_THAT(apply_rule("contended_cpus", run), SizeIs(1));
  for (Host& host : run.head.hosts) host.threads = 1;
  EXPECT_THAT(apply_rule("contended_cpus", run), IsEmpty());
}

TEST(Disturbed, IgnoresASingleCase) {
  busbar::Run run = quiet_run();
  EXPECT_THAT(apply_rule("disturbed", run), IsEmpty());
  run.cases[0].contention = Contention{.reasons = {"runnable but not running 60 % of the time"}};
  run.cases[1].remarks = {"times rose by 3 % from the first round to the last"};
  EXPECT_THAT(apply_rule("contended_cpus", run), IsEmpty());
  EXPECT_THAT(apply_rule("disturbed", run), IsEmpty());
}

}  // namespace
}  // namespace busbar::explain::test
