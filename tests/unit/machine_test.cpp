// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/base/json.hpp"
#include "core/job/machine_notes.hpp"
#include "core/machine/contention.hpp"
#include "core/machine/noise.hpp"
#include "core/machine/pace.hpp"
#include "core/machine/timer.hpp"
#include "core/machine/usage.hpp"
#include "core/ranks/launcher.hpp"
#include "core/record/parts.hpp"
#include "core/record/rank_place.hpp"
#include "tests/unit/made_up_tree.hpp"

namespace busbar::test {
namespace {

/// Reads a struct back from JSON.
template <class T>
void expect_survives_json(const T& value) {
  const nlohmann::json json = value;
  EXPECT_EQ(nlohmann::json(json.get<T>()), json) << json;
}

/// Reads of a clock whose values are multiples of `step`, rounded down to whole units, each taking 22.3 units.
std::vector<std::int64_t> reads_of(double step) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> pause(22.3, 122.3);
  std::vector<std::int64_t> reads;
  for (double t = 0; reads.size() < 40'000; t += pause(random))
    reads.push_back(static_cast<std::int64_t>(std::floor(t / step) * step));
  return reads;
}

TEST(Timer, FindsTheStepOfAClock) {
  for (const double step : {1.0, 10.0, 10.0149, 20.0, 41.6667, 100.0, 1000.0})
    EXPECT_NEAR(step_of(reads_of(step)), step, 0.002 * step) << step;
}

TEST(Timer, FindsTheStepWhileTheKernelAdjustsTheClock) {
  constexpr std::size_t reads_per_unit_lost = 60;
  auto reads = reads_of(10.0149);
  for (std::size_t i = 0; i < reads.size(); ++i) reads[i] -= static_cast<std::int64_t>(i / reads_per_unit_lost);
  EXPECT_NEAR(step_of(reads), 10, 0.1);
}

TEST(Timer, IgnoresInterruptions) {
  auto reads = reads_of(10);
  std::int64_t lost = 0;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    if (i % 2000 == 1999) lost += 12'343 + static_cast<std::int64_t>(i % 7);
    reads[i] += lost;
  }
  EXPECT_NEAR(step_of(reads), 10, 0.1);
}

TEST(Timer, FindsNoStepInAStoppedClock) {
  EXPECT_EQ(step_of(std::vector<std::int64_t>(1000, 5)), 0);
  EXPECT_EQ(step_of({}), 0);
}

TEST(Timer, MeasuresThisMachine) {
  const Timer timer = measure_timer();
  EXPECT_GT(timer.resolution_s, 0);
  EXPECT_GT(timer.cost_s, 0);
  expect_survives_json(timer);
}

/// A pass over 128 KiB takes between the times of a fast cache and of slow memory.
TEST(Pace, MeasuresThisMachine) {
  Pace pace;
  const double seconds = pace.measure();
  EXPECT_GT(seconds, 128e3 / 5e12);
  EXPECT_LT(seconds, 128e3 / 50e6);
}

/// `seconds` of quanta of 2 us.
std::vector<double> quiet(double seconds) {
  return std::vector<double>(static_cast<std::size_t>(seconds / 2e-6), 2e-6);
}

double total(const std::vector<double>& quanta) { return std::accumulate(quanta.begin(), quanta.end(), 0.0); }

TEST(Noise, IsZeroOnAQuietMachine) {
  const Noise noise = analyse_noise(quiet(0.1));
  EXPECT_NEAR(noise.measured_s, 0.1, 1e-9);
  EXPECT_EQ(noise.stolen_share, 0);
  EXPECT_EQ(noise.detours, 0U);
  EXPECT_EQ(noise.longest_s, 0);
  EXPECT_EQ(noise.speed_ratio, 1);
  EXPECT_EQ(analyse_noise({}).detours, 0U);
}

TEST(Noise, FindsPlantedTheft) {
  auto quanta = quiet(0.1);
  for (std::size_t i = 100; i < quanta.size(); i += 500) quanta[i] += 10e-6;
  quanta[777] += 4e-3;
  const Noise noise = analyse_noise(quanta);
  EXPECT_EQ(noise.detours, 101U);
  EXPECT_NEAR(noise.longest_s, 4e-3, 1e-9);
  EXPECT_NEAR(noise.stolen_share, (100 * 10e-6 + 4e-3) / total(quanta), 1e-9);
  EXPECT_EQ(noise.speed_ratio, 1);
}

TEST(Noise, FindsTheftOfMostOfTheTime) {
  auto quanta = quiet(0.1);  // slices of 4 ms, taken in turns with somebody else
  for (std::size_t i = 2000; i < quanta.size(); i += 2000) quanta[i] += 4e-3;
  EXPECT_NEAR(analyse_noise(quanta).stolen_share, 0.49, 0.01);
}

TEST(Noise, DoesNotTakeASlowProcessorForTheft) {
  auto quanta = quiet(1);
  for (std::size_t i = 0; i < quanta.size(); ++i)
    if (i / 77'777 % 2 == 1) quanta[i] *= 2.1;  // changes of state not where blocks end
  Noise noise = analyse_noise(quanta);
  EXPECT_EQ(noise.stolen_share, 0);
  EXPECT_NEAR(noise.speed_ratio, 2.1, 1e-9);
  quanta[400'000] += 1e-3;
  noise = analyse_noise(quanta);
  EXPECT_EQ(noise.detours, 1U);
  EXPECT_NEAR(noise.longest_s, 1e-3, 1e-5);
}

TEST(Noise, MeasuresThisMachine) {
  const Noise noise = measure_noise(0.02);
  EXPECT_GT(noise.measured_s, 0);
  EXPECT_GE(noise.stolen_share, 0);
  EXPECT_LE(noise.stolen_share, 1);
  EXPECT_GE(noise.speed_ratio, 1);
  expect_survives_json(noise);
}

constexpr auto stat_before =
    "cpu  1000 10 200 5000 30 4 6 70 500 0\ncpu0 500 5 100 2500 15 2 3 35 250 0\ncpu1 500 5 100 2500 15 2 3 35 250 0\n"
    "intr 1 2 3\nctxt 4\n";
constexpr auto stat_after = "cpu  1100 10 220 5100 30 4 6 80 600 0\ncpu0 0 0 0 0 0 0 0 0 0 0\n";

TEST(Usage, IsTheDifferenceOfTwoReadings) {
  Tree tree;
  tree.file("proc/self/schedstat", "5000000 1500000000 17\n")
      .file("proc/stat", stat_before)
      .file("proc/self/cgroup", "0::/job\n")
      .file("sys/fs/cgroup/job/cpu.max", "50000 100000\n")
      .file("sys/fs/cgroup/job/cpu.stat", "usage_usec 1\nnr_periods 9\nnr_throttled 3\nthrottled_usec 7\n");
  const UsageMeter meter(tree.root());
  EXPECT_EQ(meter.cpus(), 2);
  const Usage before = meter.whole();
  tree.file("proc/self/schedstat", "6000000 1750000000 18\n")
      .file("proc/stat", stat_after)
      .file("sys/fs/cgroup/job/cpu.stat", "nr_throttled 8\n");
  const Usage used = meter.whole() - before;
  const double tick_s = 1.0 / static_cast<double>(::sysconf(_SC_CLK_TCK));
  EXPECT_NEAR(used.waited_s.value(), 0.25, 1e-12);
  EXPECT_NEAR(used.host_busy_s.value(), 120 * tick_s, 1e-9);
  EXPECT_NEAR(used.host_stolen_s.value(), 10 * tick_s, 1e-9);
  EXPECT_EQ(used.throttled, 5U);
  EXPECT_GT(used.wall_s, 0);
  EXPECT_FALSE((meter.own() - before).host_busy_s);
  expect_survives_json(used);
}

TEST(Usage, LeavesMissingCountersUnknown) {
  Tree empty;
  Tree garbage;
  garbage.file("proc/self/schedstat", "no numbers here\n").file("proc/stat", "cpu  1 2 3\ncpu0 1 x\n");
  for (const auto* tree : {&empty, &garbage}) {
    const UsageMeter meter(tree->root());
    const Usage usage = meter.whole();
    EXPECT_FALSE(usage.waited_s);
    EXPECT_FALSE(usage.host_busy_s);
    EXPECT_FALSE(usage.host_stolen_s);
    EXPECT_FALSE(usage.throttled);
    EXPECT_GT(usage.cpu_s, 0);
    expect_survives_json(usage);
  }
  EXPECT_FALSE(UsageMeter(empty.root()).cpus());
}

TEST(Usage, AddsIntervals) {
  const Usage stretch{.wall_s = 1, .cpu_s = 0.5, .waited_s = 0.25, .voluntary = 2, .involuntary = 3, .host_busy_s = 2};
  Usage sum;
  sum += stretch;
  sum += stretch;
  EXPECT_EQ(sum.wall_s, 2);
  EXPECT_EQ(sum.cpu_s, 1);
  EXPECT_EQ(sum.waited_s, 0.5);
  EXPECT_EQ(sum.voluntary, 4U);
  EXPECT_EQ(sum.involuntary, 6U);
  EXPECT_EQ(sum.host_busy_s, 4);
  EXPECT_FALSE(sum.host_stolen_s);
  sum += Usage{.wall_s = 1};
  EXPECT_FALSE(sum.waited_s);
}

TEST(Usage, IgnoresCountersThatGoBackwards) {
  const Usage used = Usage{.wall_s = 2, .host_stolen_s = 1.0} - Usage{.wall_s = 1, .host_stolen_s = 1.01};
  EXPECT_EQ(used.host_stolen_s, 0);
}

TEST(Usage, CountsUnexplainedTimeAsLost) {
  EXPECT_NEAR(lost_s({.wall_s = 8e-3, .cpu_s = 5e-3, .waited_s = 1e-3}).value(), 2e-3, 1e-12);
  EXPECT_EQ(lost_s({.wall_s = 8e-3, .cpu_s = 9e-3, .waited_s = 0}), 0);
  EXPECT_FALSE(lost_s({.wall_s = 8e-3, .cpu_s = 5e-3}));
  EXPECT_FALSE(lost_s({.wall_s = 8e-3, .cpu_s = 5e-3, .waited_s = 0, .voluntary = 1}));  // it slept
}

TEST(Contention, IsFoundInABatch) {
  EXPECT_FALSE(contention_in_batch({}).contended());
  EXPECT_FALSE(contention_in_batch({.wall_s = 8e-3, .cpu_s = 7.9e-3, .waited_s = 2e-5, .involuntary = 2}).contended());
  EXPECT_EQ(contention_in_batch({.wall_s = 8e-3, .cpu_s = 6e-3, .waited_s = 0}).reasons,
            std::vector<std::string>{"lost 25 % to interrupts or the hypervisor"});
  const Contention waited = contention_in_batch({.wall_s = 8e-3, .cpu_s = 4e-3, .waited_s = 4e-3, .involuntary = 1});
  EXPECT_EQ(waited.reasons, std::vector<std::string>{"runnable but not running 50 % of the time"});
  expect_survives_json(waited);
  EXPECT_TRUE(contention_in_batch({.wall_s = 8e-3, .involuntary = 1}).contended());
  EXPECT_FALSE(contention_in_batch({.wall_s = 8e-3}).contended());
}

/// Two ranks that had a CPU each for half a second, on a host of two.
std::vector<Usage> two_ranks() {
  const Usage rank{.wall_s = 0.5, .cpu_s = 0.5, .waited_s = 1e-3, .host_busy_s = 1.0, .host_stolen_s = 0.0};
  return {rank, rank};
}

TEST(Contention, IsFoundInACase) {
  EXPECT_FALSE(contention_in_case({}, 2).contended());
  EXPECT_FALSE(contention_in_case(two_ranks(), 2).contended());
  auto ranks = two_ranks();
  ranks[1].waited_s = 0.04;
  ranks[1].cpu_s = 0.46;
  EXPECT_EQ(contention_in_case(ranks, 2).reasons, std::vector<std::string>{"runnable but not running 8 % of the time"});
  ranks = two_ranks();
  ranks[0].host_stolen_s = 0.04;
  EXPECT_EQ(contention_in_case(ranks, 2).reasons,
            std::vector<std::string>{"the hypervisor took 4 % of the CPUs' time"});
  ranks = two_ranks();
  ranks[1].throttled = 3;
  EXPECT_EQ(contention_in_case(ranks, 2).reasons, std::vector<std::string>{"was stopped 3 times by its CPU quota"});
}

TEST(Contention, CountsOthersOnlyIfRanksLackCpus) {
  auto ranks = two_ranks();
  for (Usage& rank : ranks) {
    rank.cpu_s = 0.28;
    rank.voluntary = 9;  // where it was not on a CPU, it slept
  }
  EXPECT_EQ(contention_in_case(ranks, 2).reasons, std::vector<std::string>{"other processes used 0.9 of 2 CPUs"});
  EXPECT_FALSE(contention_in_case(ranks, 4).contended());
  for (Usage& rank : ranks) rank.wall_s = 0.1;  // too short for what is known in ticks
  EXPECT_FALSE(contention_in_case(ranks, 2).contended());
}

/// Two quiet hosts of four CPUs, two bound ranks on each.
struct Machine {
  std::vector<Host> hosts{{.name = "n1", .threads = 4}, {.name = "n2", .threads = 4}};
  std::vector<RankPlace> placement;
  std::vector<Noise> noise{4, Noise{.measured_s = 1, .stolen_share = 0.005}};
  Timer timer{.resolution_s = 1e-8, .cost_s = 2e-8};

  Machine() {
    for (int rank = 0; rank < 4; ++rank)
      placement.push_back(
          {.rank = rank, .host = rank < 2 ? "n1" : "n2", .cpus = std::to_string(rank % 2), .bound = true});
  }
  [[nodiscard]] std::vector<std::string> notes() const {
    return machine_notes(
        {.hosts = hosts, .placement = placement, .noise = noise, .timer = timer, .bind_hint = "mpirun -bind-to core"});
  }
};

using Lines = std::vector<std::string>;

TEST(MachineNotes, AreEmptyOnAQuietMachine) {
  EXPECT_EQ(Machine().notes(), Lines{});
  EXPECT_EQ(machine_notes({}), Lines{});
}

TEST(MachineNotes, NameTheRankWithTheMostNoise) {
  Machine machine;
  machine.noise[3] = {.measured_s = 1, .stolen_share = 0.024, .longest_s = 0.011, .speed_ratio = 1.1};
  EXPECT_EQ(machine.notes(), Lines{"OS noise on rank 3 (n2): lost 2.4 % of the time, longest interruption 11 ms; stop "
                                   "other work or bind ranks"});
  machine.noise[1] = {.measured_s = 1, .stolen_share = 0.1, .longest_s = 82e-6};
  EXPECT_EQ(machine.notes(),
            Lines{"OS noise on rank 1 (n1) (and 1 more rank): lost 10.0 % of the time, longest interruption "
                  "82 us; stop other work or bind ranks"});
}

TEST(MachineNotes, ReportAVaryingSpeed) {
  Machine machine;
  machine.noise[2].speed_ratio = 2.13;
  EXPECT_EQ(machine.notes(), Lines{"the speed of the CPU of rank 2 (n2) varied 2.1x within 1 s: bursts of samples see "
                                   "one speed or the other"});
}

TEST(MachineNotes, ReportALab) {
  Machine machine;
  machine.hosts[0].lab = "1 of 2 hosts on one machine, link rate 1gbit";
  EXPECT_EQ(machine.notes(), Lines{"a lab: n1 is 1 of 2 hosts on one machine, link rate 1gbit; this shows that things "
                                   "work, not how fast a network is"});
}

TEST(MachineNotes, ReportBinding) {
  Machine machine;
  machine.placement[1].cpus = "0-3";
  machine.placement[1].bound = false;
  EXPECT_EQ(machine.notes(), Lines{"1 of 4 ranks are not bound to cores; mpirun -bind-to core binds them"});
  for (RankPlace& place : machine.placement) place.bound = false;
  EXPECT_EQ(machine.notes(), Lines{"ranks are not bound to cores; mpirun -bind-to core binds them"});
  for (Host& host : machine.hosts) host.threads = 1;  // nothing to bind to: the ranks have to share
  EXPECT_EQ(machine.notes(), Lines{"2 ranks share 1 CPU on n1 (and 1 more host): times show the scheduler as well"});
}

TEST(MachineNotes, ReportRanksOnOneCpu) {
  Machine machine;
  for (RankPlace& place : machine.placement) place.cpus = "1";
  EXPECT_EQ(machine.notes(),
            Lines{"ranks 0 and 1 are bound to the same CPU, 1 of n1 (and 1 more rank): they take turns"});
  for (RankPlace& place : machine.placement) place.cpus = "0-1";
  EXPECT_EQ(machine.notes(), Lines{});
}

TEST(MachineNotes, ReportRanksThatShareSomeCpus) {
  Machine machine;
  for (RankPlace& place : machine.placement) place.host = "n1";
  for (RankPlace& place : machine.placement) place.cpus = "2-3";
  EXPECT_EQ(machine.notes(), Lines{"4 ranks share 2 CPUs on n1: times show the scheduler as well"});
}

TEST(MachineNotes, ReportTheHost) {
  Machine machine;
  machine.hosts[1].cpu_quota = 1.5;
  machine.hosts[0].governor = "performance";
  machine.hosts[1].governor = "powersave";
  machine.hosts[1].turbo = true;
  machine.hosts[0].clock_source = "hpet";
  machine.timer.cost_s = 0.9e-6;
  EXPECT_EQ(machine.notes(),
            (Lines{"a quota gives the 2 ranks on n2 the time of 1.5 CPUs: they are stopped when it is used up",
                   "the CPU governor of n2 is powersave: clocks follow the load; performance keeps them high",
                   "the clock (hpet) has steps of 10 ns and takes 900 ns to read: short calls cannot be resolved"}));
}

/// The variables that launchers set, all unset before and after.
class Launcher : public ::testing::Test {
 protected:
  Launcher() { clear(); }
  ~Launcher() override { clear(); }
  static void clear() {
    for (const auto* name : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "MV2_COMM_WORLD_LOCAL_SIZE",
                             "SLURM_STEP_TASKS_PER_NODE", "SLURM_NODEID"})
      ::unsetenv(name);
  }
};

TEST_F(Launcher, GivesTheRanksOfThisHost) {
  EXPECT_FALSE(local_launch_size());
  ::setenv("MPI_LOCALNRANKS", "3", 1);
  EXPECT_EQ(local_launch_size(), 3);
  ::setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "2", 1);
  EXPECT_EQ(local_launch_size(), 2);
}

TEST_F(Launcher, ReadsTheRanksOfEachHostFromSlurm) {
  ::setenv("SLURM_STEP_TASKS_PER_NODE", "4(x2),3", 1);
  EXPECT_FALSE(local_launch_size());
  for (const auto& [node, tasks] : {std::pair("0", 4), std::pair("1", 4), std::pair("2", 3)}) {
    ::setenv("SLURM_NODEID", node, 1);
    EXPECT_EQ(local_launch_size(), tasks) << node;
  }
  ::setenv("SLURM_NODEID", "3", 1);
  EXPECT_FALSE(local_launch_size());
  ::setenv("SLURM_STEP_TASKS_PER_NODE", "many", 1);
  EXPECT_FALSE(local_launch_size());
}

}  // namespace
}  // namespace busbar::test
