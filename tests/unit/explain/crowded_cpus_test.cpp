// SPDX-License-Identifier: Apache-2.0
#include "core/record/rank_place.hpp"
#include "tests/unit/explain/made_up.hpp"

namespace busbar::explain::test {
namespace {

TEST(CrowdedCpus, MoreRanksThanCpus) {
  busbar::Run run = quiet_run();
  for (Host& host : run.head.hosts) host.threads = 1;
  auto findings = apply_rule("crowded_cpus", run);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].title, "hosts are oversubscribed: more threads than CPUs");
  EXPECT_EQ(findings[0].evidence.at(0), "a: 2 ranks with 1 thread each, 1 CPU.");
  EXPECT_THAT(text_of(findings[0]), HasSubstr("Waiting ranks spin"));
  EXPECT_THAT(text_of(findings[0]), HasSubstr("mpi_yield_when_idle"));
  run.head.mpi->yields = true;
  findings = apply_rule("crowded_cpus", run);
  EXPECT_THAT(text_of(findings.at(0)), Not(HasSubstr("mpi_yield_when_idle")));
}

TEST(CrowdedCpus, CountsThreadsAndQuotas) {
  busbar::Run run = quiet_run();
  run.cases[0].key.training = TrainingKey{.threads = 40};
  EXPECT_THAT(text_of(apply_rule("crowded_cpus", run).at(0)), HasSubstr("2 ranks with 40 threads each, 64 CPUs"));
  run = quiet_run();
  run.head.hosts[1].cpu_quota = 1.5;
  const auto findings = apply_rule("crowded_cpus", run);
  EXPECT_EQ(findings.at(0).evidence.at(0), "b: 2 ranks with 1 thread each, a quota of 1.5 CPUs.");
  EXPECT_EQ(findings.at(0).where.hosts, std::vector<std::string>{"b"});
}

TEST(CrowdedCpus, MoreRanksThanCores) {
  busbar::Run run = quiet_run();
  for (Host& host : run.head.hosts) host.threads = 2, host.cores = 1, host.smt = true;
  const auto findings = apply_rule("crowded_cpus", run);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].evidence.at(0), "a: 2 ranks with 1 thread each, 1 core (SMT is on).");
  for (Host& host : run.head.hosts) host.smt = false;
  EXPECT_THAT(apply_rule("crowded_cpus", run), IsEmpty());
}

TEST(CrowdedCpus, RanksBoundToTheSameCpu) {
  busbar::Run run = quiet_run();
  for (RankPlace& place : run.head.placement) place.cpus = "0";
  const auto findings = apply_rule("crowded_cpus", run);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].evidence.at(0), "a: ranks 0, 1 can run only on 1 CPU (0); the host has 64.");
  EXPECT_EQ(findings[0].where.ranks, (std::vector{0, 1, 2, 3}));
}

TEST(CrowdedCpus, NamesUnboundRanks) {
  busbar::Run run = quiet_run();
  for (RankPlace& place : run.head.placement) place.bound = false, place.cpus = "0-63";
  const auto findings = apply_rule("crowded_cpus", run);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].title, "4 of 4 ranks are not bound to CPUs");
  for (Host& host : run.head.hosts) host.threads = 2;  // where else could they run?
  EXPECT_THAT(apply_rule("crowded_cpus", run), IsEmpty());
}

TEST(CrowdedCpus, AdvisesThreadsOfAProcessOtherwise) {
  busbar::Run run = quiet_run();
  run.head.method.gpus_per_process = 2;
  for (RankPlace& place : run.head.placement) place.bound = false, place.cpus = "0-63";
  EXPECT_THAT(apply_rule("crowded_cpus", run), IsEmpty());
  for (RankPlace& place : run.head.placement) place.bound = true, place.cpus = "0";
  const auto findings = apply_rule("crowded_cpus", run);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0].tries.at(0), HasSubstr("mpirun --bind-to none"));
}

TEST(CrowdedCpus, IsSilentOnOneRankPerCpu) { EXPECT_THAT(apply_rule("crowded_cpus", quiet_run()), IsEmpty()); }

}  // namespace
}  // namespace busbar::explain::test
