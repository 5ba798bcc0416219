// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/launcher.hpp"

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <thread>

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/environment/environment.hpp"

namespace busbar::test {
namespace {

void bind_to(int pid, const std::vector<int>& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) CPU_SET(static_cast<std::size_t>(cpu), &set);
  ASSERT_EQ(::sched_setaffinity(pid, sizeof set, &set), 0);
}

/// Result of `look` (cpus_of_job() or cpus_of_ranks()) in one of two ranks that hydra started. The rank is bound to
/// the CPUs `ranks`, its daemon to `daemons`, the other rank to `other`; empty: it has not started.
int cpus_seen(const std::vector<int>& ranks, const std::vector<int>& daemons, const std::vector<int>& other = {},
              std::optional<int> (*look)() = cpus_of_job) {
  std::array<int, 2> ready{};
  EXPECT_EQ(::pipe(ready.data()), 0);
  const pid_t daemon = ::fork();
  if (daemon == 0) {
    ::prctl(PR_SET_NAME, "hydra_pmi_proxy");
    ::setenv("MPI_LOCALNRANKS", "2", 1);
    const pid_t rank = ::fork();
    if (rank == 0) {
      ::prctl(PR_SET_NAME, "busbar-bench");
      char byte = 0;
      if (::read(ready[0], &byte, 1) != 1) ::_exit(255);
      ::_exit(look().value_or(0));
    }
    const pid_t second = other.empty() ? 0 : ::fork();
    if (!other.empty() && second == 0) {
      bind_to(0, other);
      ::pause();
    }
    bind_to(rank, ranks);
    bind_to(0, daemons);
    if (second > 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));  // until it has bound itself
    if (::write(ready[1], "", 1) != 1) ::_exit(255);
    int status = 0;
    ::waitpid(rank, &status, 0);
    if (second > 0) ::kill(second, SIGKILL);
    ::_exit(WEXITSTATUS(status));
  }
  int status = 0;
  ::waitpid(daemon, &status, 0);
  for (const int end : ready) ::close(end);
  return WEXITSTATUS(status);
}

TEST(CpusOfJob, AreThoseOfARankAndItsLauncher) {
  const std::vector<int> cpus = affinity();
  if (cpus.size() < 2) GTEST_SKIP() << "one CPU";
  const std::vector first{cpus[0]}, both{cpus[0], cpus[1]};
  EXPECT_EQ(cpus_seen(both, both), 2);
  EXPECT_EQ(cpus_seen(first, both), 2) << "the rank is bound";
  EXPECT_EQ(cpus_seen(both, first), 2) << "the daemon looks at the machine";
  EXPECT_EQ(cpus_seen(first, first), 1) << "the job has one CPU";
}

TEST(CpusOfRanks, AreThoseOfAllVisibleRanks) {
  const std::vector<int> cpus = affinity();
  if (cpus.size() < 2) GTEST_SKIP() << "one CPU";
  const std::vector first{cpus[0]}, second{cpus[1]}, both{cpus[0], cpus[1]};
  EXPECT_EQ(cpus_seen(first, both, second, cpus_of_ranks), 2) << "each rank has its own";
  EXPECT_EQ(cpus_seen(first, both, first, cpus_of_ranks), 1) << "both are bound to one";
  EXPECT_EQ(cpus_seen(first, both, {}, cpus_of_ranks), 0) << "the other is not there";
}

}  // namespace
}  // namespace busbar::test
