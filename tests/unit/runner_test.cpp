// SPDX-License-Identifier: Apache-2.0
#include "bench/engine/runner.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <set>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include "core/record/arrival.hpp"
#include "core/record/case_record.hpp"
#include "core/record/groups.hpp"
#include "core/record/method.hpp"
#include "core/record/status.hpp"
#include "core/sampling/run_rounds.hpp"
#include "tests/unit/measure.hpp"

namespace busbar::test {
namespace {

TEST(BatchSize, FillsAVisitWithAnOddNumber) {
  const BatchSize batch{.seconds = 0.01, .least = 3, .most = 1001};
  EXPECT_EQ(batch(1e-6, 0), 1001);
  EXPECT_EQ(batch(1e-4, 0), 101);
  EXPECT_EQ(batch(1.0, 50), 3);
  EXPECT_EQ(batch(0, 0), 3) << "not known yet";
  EXPECT_EQ(batch(1.0, 50, 9), 9) << "asked for";
  EXPECT_EQ((BatchSize{.limit = 1010}(1e-6, 1001)), 9);
}

TEST(BatchSize, SpreadsAFixedCountOverTenVisits) {
  const BatchSize batch{.fixed = 1004};
  std::uint64_t taken = 0;
  int visits = 0;
  for (int n = batch(1e-6, taken); n > 0; n = batch(1e-6, taken), ++visits) taken += static_cast<std::uint64_t>(n);
  EXPECT_EQ(taken, 1004U);
  EXPECT_EQ(visits, 10);
  EXPECT_EQ(BatchSize{.fixed = 1}(1e-6, 0), 1);
}

TEST(BatchSize, WarmsUpForHalfAVisitAtMost) {
  const BatchSize batch{.seconds = 0.01};
  EXPECT_EQ(batch.warm_up(1e-6), 5000);
  EXPECT_EQ(batch.warm_up(1e-3), 5);
  EXPECT_EQ(batch.warm_up(1.0), 1);
  EXPECT_EQ(batch.warm_up(0), 1) << "not known yet";
  EXPECT_EQ(BatchSize{.fixed = 1000}.warm_up(1e-6), 100);
  EXPECT_EQ(BatchSize{.fixed = 3}.warm_up(1e-6), 1);
}

TEST(GroupSize, IsOneCallUnlessNearTheTimersStep) {
  EXPECT_EQ(group_size(200e-9, 20e-9), 1);
  EXPECT_EQ(group_size(50e-9, 20e-9), 8);
  EXPECT_EQ(group_size(1e-12, 20e-9), 1024);
  EXPECT_EQ(group_size(1.0, 0), 1);
}

TEST(LongestCycle, GrowsWithTheBytesBeyondTwice) {
  const SampleCycle before{.bytes = 8, .cycle_s = 1e-6};
  EXPECT_DOUBLE_EQ(longest_cycle(0, before), 5e-6);
  EXPECT_DOUBLE_EQ(longest_cycle(16, before), 5e-6);
  EXPECT_DOUBLE_EQ(longest_cycle(64 << 10, before), 4096 * 5e-6) << "sizes of a sweep can be far apart";
  EXPECT_DOUBLE_EQ(longest_cycle(8, {.bytes = 0, .cycle_s = 1e-6}), 4 * 5e-6) << "after a barrier";
  EXPECT_DOUBLE_EQ(longest_cycle(1'000'000, {}), 0.0105) << "nothing is measured yet";
}

TEST(MostlyWaits, IsTrueIfOverAQuarterOfSamplesExceedTheWarmUp) {
  EXPECT_TRUE(mostly_waits({8e-3, 8e-3, 8e-3, 8e-3}, 1e-6));
  EXPECT_TRUE(mostly_waits({8e-3, 1e-6, 8e-3, 1e-6}, 1e-6));
  EXPECT_FALSE(mostly_waits({8e-3, 1e-6, 1e-6, 1e-6}, 1e-6));
  EXPECT_FALSE(mostly_waits({4e-6, 4e-6}, 1e-6));
  EXPECT_FALSE(mostly_waits({7e-4, 7e-4}, 1e-4)) << "too short for a wait: the CPUs are slower now";
  EXPECT_FALSE(mostly_waits({}, 1e-6));
}

TEST(Shuffle, IsAPermutationThatDependsOnTheSeedAlone) {
  std::vector<int> a(100), b(100), c(100);
  for (auto* v : {&a, &b, &c}) std::iota(v->begin(), v->end(), 0);
  shuffle(std::span(a), 1);
  shuffle(std::span(b), 1);
  shuffle(std::span(c), 2);
  EXPECT_EQ(a, b);
  EXPECT_NE(a, c);
  EXPECT_EQ(std::set(a.begin(), a.end()).size(), 100U);
}

TEST(Runner, VisitsEveryCaseInAShuffledOrderCommonToAllRanks) {
  std::vector<std::vector<std::pair<int, std::uint64_t>>> visits(3);
  run_ranks(3, [&](Group& group, Backend& backend) {
    Listener listener;
    run(group, backend, sizes({8, 16, 32, 64, 128}, 3), count_of(30), on_one_host(3), listener);
    visits[static_cast<std::size_t>(group.rank())] = listener.visits;
  });
  EXPECT_EQ(visits[0], visits[1]);
  EXPECT_EQ(visits[0], visits[2]);
  ASSERT_EQ(visits[0].size(), 50U);  // ten rounds
  std::set<std::vector<std::uint64_t>> orders;
  for (int round = 0; round < 10; ++round) {
    std::vector<std::uint64_t> order;
    for (int i = 0; i < 5; ++i) order.push_back(visits[0][static_cast<std::size_t>(round * 5 + i)].second);
    EXPECT_EQ(std::set(order.begin(), order.end()).size(), 5U);
    orders.insert(order);
  }
  EXPECT_GT(orders.size(), 5U);
}

TEST(Runner, RecordsRoundsAndTheirMedian) {
  run_ranks(2, [](Group& group, Backend& backend) {
    const CaseRecord r = measure(group, backend, sizes({400}, 2), count_of(100), on_one_host(2)).at(0);
    ASSERT_EQ(r.rounds.size(), 10U);
    std::vector<double> medians;
    for (const Round& round : r.rounds) {
      EXPECT_EQ(round.samples, 10U);
      medians.push_back(round.median_s);
      EXPECT_GT(round.pace_s.value(), 0);
    }
    EXPECT_EQ(r.paced->pace_s, paced_time(r.rounds)->pace_s);
    EXPECT_EQ(r.time_s, median(medians));
    EXPECT_EQ(r.samples_taken, 100U);
    EXPECT_EQ(r.ended_by, EndedBy::count);
    if (r.interval_s) {  // ten rounds that depend on each other too much have none
      EXPECT_LE(r.interval_s->low, *r.time_s);
      EXPECT_GE(r.interval_s->high, *r.time_s);
    }
    EXPECT_EQ(r.samples_s.size(), group.rank() == 0 ? 100U : 0U);
  });
}

TEST(Runner, LimitsRawSamplesEquallyInEveryRound) {
  run_ranks(2, [](Group& group, Backend& backend) {
    Settings settings = count_of(100);
    settings.keep = 35;
    const CaseRecord r = measure(group, backend, sizes({400}, 2), settings, on_one_host(2)).at(0);
    if (group.rank() != 0) return;
    EXPECT_EQ(r.samples_s.size(), 30U);
    for (const Round& round : r.rounds) EXPECT_EQ(round.kept, 3U);
    EXPECT_EQ(r.samples_taken, 100U);
  });
}

TEST(Runner, EndsEveryCaseByARule) {
  run_ranks(2, [](Group& group, Backend& backend) {
    Settings settings{
        .stop = {.relative_half_width = 1e-9, .least_rounds = 6, .case_budget_s = 0.05, .most_samples = 40}};
    for (const CaseRecord& r : measure(group, backend, sizes({8, 1024}, 2), settings, on_one_host(2))) {
      EXPECT_TRUE(r.ended_by == EndedBy::max_samples || r.ended_by == EndedBy::time_budget) << name(*r.ended_by);
      EXPECT_EQ(r.status, Status::ok);
    }
    settings.stop = {.relative_half_width = 1e9, .least_rounds = 6, .case_budget_s = 100, .most_samples = 1 << 30};
    for (const CaseRecord& r : measure(group, backend, sizes({8, 1024}, 2), settings, on_one_host(2)))
      EXPECT_EQ(r.ended_by, EndedBy::converged);
  });
}

/// Has no memory from 1 MiB on.
class CrampedMemory final : public HostMemory {
 public:
  [[nodiscard]] Buffer allocate(std::size_t bytes) override {
    if (bytes >= std::size_t{1} << 20) throw std::bad_alloc();
    return HostMemory::allocate(bytes);
  }
};

/// Rank 1 has little memory.
class Cramped final : public ThreadBackend {
 public:
  Cramped(Hub& hub, int rank)
      : ThreadBackend(hub, rank, rank == 1 ? std::make_unique<CrampedMemory>() : std::make_unique<HostMemory>()) {}
};

TEST(Runner, SkipsACaseWithoutMemoryOnAllRanks) {
  run_ranks<Cramped>(3, [](Group& group, Cramped& backend) {
    const auto records = measure(group, backend, sizes({1024, 1 << 20, 2048}, 3), count_of(2), on_one_host(3));
    EXPECT_EQ(records[0].status, Status::ok);
    EXPECT_EQ(records[1].status, Status::skipped);
    EXPECT_EQ(records[1].reason, "rank 1: out of memory");
    EXPECT_FALSE(records[1].time_s.has_value());
    EXPECT_EQ(records[2].status, Status::ok);
  });
}

TEST(Runner, SkipsCasesLargerThanTheMemoryOfTheHost) {
  run_ranks(2, [](Group& group, Backend& backend) {
    const Case c{.collective = try_find<Collective>("allreduce"),
                 .op = Op::sum,
                 .count = std::size_t{1} << 45,
                 .bytes = std::uint64_t{1} << 47};
    const CaseRecord r = measure(group, backend, {c}, count_of(2), on_one_host(2)).at(0);
    EXPECT_EQ(r.status, Status::skipped);
    EXPECT_NE(r.reason.value().find("GB are free"), std::string::npos) << *r.reason;
  });
}

/// Every call takes rank 1 2 ms longer.
class SlowOne final : public ThreadBackend {
 public:
  SlowOne(Hub& hub, int rank) : ThreadBackend(hub, rank), rank_(rank) {}
  [[nodiscard]] Stretch complete() override {
    Stretch s = ThreadBackend::complete();
    if (rank_ == 1) s.end_ns += 2'000'000;
    return s;
  }

 private:
  int rank_;
};

TEST(Runner, SamplesTheSlowestRankAndSummarisesEachRank) {
  run_ranks<SlowOne>(3, [](Group& group, SlowOne& backend) {
    const CaseRecord r = measure(group, backend, sizes({40}, 3), count_of(4), on_hosts({0, 0, 1})).at(0);
    EXPECT_GE(*r.time_s, 2e-3);
    ASSERT_EQ(r.ranks.size(), 3U);
    EXPECT_GE(r.ranks[1].min_s, 2e-3);
    if (group.rank() == 0) {
      EXPECT_GE(r.statistics.value().min_s, 2e-3);
    }
    EXPECT_DOUBLE_EQ(r.algbw_GBps.value(), 40 / *r.time_s * 1e-9);
    EXPECT_DOUBLE_EQ(r.busbw_GBps.value(), *r.algbw_GBps * 4 / 3);
    EXPECT_EQ(r.key.nodes, 2);
    EXPECT_FALSE(r.key.ranks_per_node.has_value());
  });
}

/// Makes the barrier that a call asks for. Returns the call without it, to be made later than by other ranks.
Call leave_barrier(Call c) {
  if (auto* const ranks = std::exchange(c.start, nullptr)) ranks->barrier();
  return c;
}

/// Rank 2 leaves every barrier 40 ms after the others: longer than a thread waits for a busy processor.
class LateOne final : public ThreadBackend {
 public:
  LateOne(Hub& hub, int rank) : ThreadBackend(hub, rank), rank_(rank) {}
  void allreduce(const Call& c) override {
    const Call late = leave_barrier(c);
    if (rank_ == 2) std::this_thread::sleep_for(std::chrono::milliseconds(40));
    ThreadBackend::allreduce(late);
  }

 private:
  int rank_;
};

TEST(BlockingBackend, BeginsACallOnceAllRanksHaveMetInItsBarrier) {
  std::array<std::int64_t, 2> came_ns{}, began_ns{};
  run_ranks(2, [&](Group& group, ThreadBackend& backend) {
    const auto me = static_cast<std::size_t>(group.rank());
    if (me == 1) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    came_ns.at(me) = steady_ns();
    backend.barrier({.rank = group.rank(), .ranks = 2, .start = &group});
    began_ns.at(me) = backend.complete().begin_ns;
  });
  EXPECT_GE(began_ns[0], came_ns[1]);
  EXPECT_GE(began_ns[1], came_ns[0]);
}

TEST(Runner, NamesALateRankAndSubtractsItsDelay) {
  run_ranks<LateOne>(3, [](Group& group, LateOne& backend) {
    const CaseRecord r = measure(group, backend, sizes({40}, 3), count_of(20), on_hosts({0, 0, 1})).at(0);
    ASSERT_TRUE(r.arrival.has_value());
    EXPECT_GE(r.arrival->skew_s, 15e-3);
    EXPECT_LT(r.arrival->transfer_s, r.arrival->skew_s);
    ASSERT_EQ(r.arrival->late.size(), 1U);
    const LateRank& late = r.arrival->late[0];
    EXPECT_EQ(late.rank, 2);
    EXPECT_EQ(late.host, "node1");
    EXPECT_EQ(late.cpus, "2");
    EXPECT_GT(late.last_share, 0.9);
    EXPECT_GE(late.behind_s, 15e-3);
  });
}

TEST(Arrival, NamesRanksByTrendNotByChance) {
  std::mt19937 draw(7);
  int named = 0;
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<Arrivals> ranks(4);
    for (auto& r : ranks)
      for (int i = 0; i < 20; ++i) {
        r.last_share.push_back(std::uniform_real_distribution(0.0, 0.5)(draw));
        r.behind_s.push_back(1e-5);
      }
    named += late_ranks(ranks, 1e-6).empty() ? 0 : 1;
    ranks[3].last_share.assign(20, 0.6);
    EXPECT_EQ(late_ranks(ranks, 1e-6).size(), 1U);
    EXPECT_TRUE(late_ranks(ranks, 2e-5).empty()) << "late, but not by enough to matter";
  }
  EXPECT_LE(named, 15);
}

TEST(Runner, EndsAtTheTimeOfTheLaunchWithPartialCases) {
  run_ranks(2, [&](Group& group, Backend& backend) {
    Settings endless{.stop = {.relative_half_width = 1e-9, .case_budget_s = 1e9, .most_samples = 1 << 30}};
    for (const double left_s : {1.0, 0.3}) {
      endless.end_ns = steady_ns() + static_cast<std::int64_t>(left_s * 1e9);
      for (const CaseRecord& r : measure(group, backend, sizes({8, 1024, 1 << 20}, 2), endless, on_one_host(2))) {
        EXPECT_EQ(r.ended_by, EndedBy::run_budget);
        EXPECT_EQ(r.status, r.rounds.empty()                 ? Status::skipped
                            : r.rounds.size() < least_rounds ? Status::partial
                                                             : Status::ok);
        EXPECT_EQ(r.reason.has_value(), r.status != Status::ok);
      }
    }
    endless.end_ns = steady_ns();
    for (const CaseRecord& r : measure(group, backend, sizes({8, 1024}, 2), endless, on_one_host(2))) {
      EXPECT_EQ(r.status, Status::skipped);
      EXPECT_EQ(r.reason, "no time was left for it: give a longer --run-budget");
    }
  });
}

TEST(BatchSize, ShrinksVisitsWhenTimeRunsOut) {
  BatchSize batch;
  batch.fit(10, 0.5, 10);
  EXPECT_EQ(batch.seconds, 0.01) << "no longer than they are at most";
  EXPECT_EQ(batch.least, 3);
  batch.fit(2.5, 0.5, 10);
  EXPECT_DOUBLE_EQ(batch.seconds, 0.005);
  EXPECT_EQ(batch.least, 1);
  batch.fit(0.1, 0.5, 10);
  EXPECT_DOUBLE_EQ(batch.seconds, 0.002) << "no shorter than they are at least";
}

TEST(Runner, KeepsItsCasesWhenInterrupted) {
  run_ranks(2, [&](Group& group, Backend& backend) {
    Listener listener;
    listener.interrupt_after = 3;  // in the second round: one case has two rounds, the other one
    run(group, backend, sizes({8, 16}, 2), count_of(100), on_one_host(2), listener);
    ASSERT_EQ(listener.records.size(), 2U);
    for (const CaseRecord& r : listener.records) {
      EXPECT_EQ(r.status, Status::partial);
      EXPECT_EQ(r.ended_by, EndedBy::interrupted);
      EXPECT_GE(r.rounds.size(), 1U);
    }
    listener = {};
    listener.interrupt_after = 0;
    run(group, backend, sizes({8, 16}, 2), count_of(100), on_one_host(2), listener);
    ASSERT_EQ(listener.records.size(), 2U);
    EXPECT_EQ(listener.records[1].status, Status::skipped);
  });
}

TEST(Runner, KeepsUnfinishedCasesNoMoreOftenThanRequested) {
  run_ranks(2, [&](Group& group, Backend& backend) {
    Settings settings = count_of(100);  // ten rounds of ten samples
    settings.keep_every_s = 3600;
    Listener listener;
    run(group, backend, sizes({8, 16, 32}, 2), settings, on_one_host(2), listener);
    ASSERT_EQ(listener.kept.size(), 3U);
    for (std::size_t visit = 0; visit < 3; ++visit) {
      ASSERT_EQ(listener.kept[visit].size(), visit + 1) << "all that were visited";
      for (const CaseRecord& r : listener.kept[visit]) {
        EXPECT_EQ(r.ended_by, EndedBy::unfinished);
        EXPECT_EQ(r.rounds.size(), 1U);
        EXPECT_TRUE(r.samples_s.empty());
      }
    }
    for (const CaseRecord& r : listener.records) EXPECT_EQ(r.rounds.size(), 10U) << "as if nobody had looked";
    listener = {};
    settings.keep_every_s = 0;
    run(group, backend, sizes({8, 16, 32}, 2), settings, on_one_host(2), listener);
    EXPECT_TRUE(listener.kept.empty());
  });
}

/// Four ranks on two hosts. The two ranks of a host are a team; both teams measure at the same time.
TEST(Runner, MeasuresOneCaseInTeamsWithTheirOwnData) {
  Hub hub(4);
  std::array<Hub, 2> hubs{Hub(2), Hub(2)};
  std::vector<CaseRecord> records;
  {
    std::vector<std::jthread> threads_of_ranks;
    for (int r = 0; r < 4; ++r)
      threads_of_ranks.emplace_back([&, r] {
        ThreadGroup group(hub, r);
        ThreadBackend backend(hubs.at(static_cast<std::size_t>(r / 2)), r % 2);
        const Ranks ranks = on_hosts({0, 0, 1, 1});
        ClockSync clock(group, ranks.clock_of_ranks());
        const Team team{.rank = r % 2, .world = {.ranks = 2, .nodes = 1, .ranks_per_node = 2}, .level = "node"};
        Listener listener;
        Progress progress;
        Runner(group, backend, threads, count_of(10), ranks, team, clock, progress).run(sizes({8, 400}, 2), listener);
        if (r == 0) records = listener.records;
      });
  }
  ASSERT_EQ(records.size(), 2U);
  for (const CaseRecord& record : records) {
    EXPECT_EQ(record.status, Status::ok) << record.reason.value_or("");
    EXPECT_EQ(record.check.state, CheckState::passed);
    EXPECT_EQ(record.key.group, "node");
    EXPECT_EQ(record.key.ranks, 2);
    EXPECT_EQ(record.key.nodes, 1);
    EXPECT_EQ(record.bus_factor, 1) << "2 (n - 1) / n of two ranks, not of four";
    EXPECT_EQ(record.ranks.size(), 4U) << "the slowest of all hosts counts";
  }
}

/// Takes 8 ms longer for an allreduce on one rank.
class LateBackend final : public ThreadBackend {
 public:
  LateBackend(Hub& hub, int rank, bool late) : ThreadBackend(hub, rank), late_(late) {}
  void allreduce(const Call& c) override {
    const Call late = leave_barrier(c);
    if (late_) std::this_thread::sleep_for(std::chrono::milliseconds(8));
    ThreadBackend::allreduce(late);
  }

 private:
  bool late_;
};

/// Records of four ranks in teams {0, 1}, {2, 3} of one kind and {0, 2}, {1, 3} of the other. Rank 3 is late in the
/// first kind.
std::vector<CaseRecord> measure_two_kinds(const std::vector<Case>& plan) {
  Hub hub(4);
  std::array<Hub, 2> first{Hub(2), Hub(2)}, second{Hub(2), Hub(2)};
  std::vector<CaseRecord> records;
  std::vector<std::jthread> threads_of_ranks;
  for (int r = 0; r < 4; ++r)
    threads_of_ranks.emplace_back([&, r] {
      const auto high = static_cast<std::size_t>(r / 2), low = static_cast<std::size_t>(r % 2);
      ThreadGroup group(hub, r), in_first(first.at(high), r % 2), in_second(second.at(low), r / 2);
      LateBackend backend(first.at(high), r % 2, r == 3);
      ThreadBackend other(second.at(low), r / 2);
      const Ranks ranks = on_one_host(4);
      ClockSync clock(group, ranks.clock_of_ranks());
      const World pair{.ranks = 2, .nodes = 1, .ranks_per_node = 2};
      Listener listener;
      Progress progress;
      Runner runner(
          group, backend, threads, count_of(20), ranks,
          {.rank = r % 2, .world = pair, .level = "rank / 2", .members = &in_first, .teams = {{0, 1}, {2, 3}}}, clock,
          progress,
          SecondKind{
              other,
              {.rank = r / 2, .world = pair, .level = "rank % 2", .members = &in_second, .teams = {{0, 2}, {1, 3}}},
              {.world = {.ranks = 4, .nodes = 1, .ranks_per_node = 4}, .level = "rank / 2 + rank % 2"}});
      runner.run(plan, listener);
      if (r == 0) records = listener.records;
    });
  threads_of_ranks.clear();
  std::ranges::sort(records, {}, &CaseRecord::index);
  return records;
}

TEST(Runner, MeasuresTwoKindsOfTeamsAloneAndInAlternation) {
  const Sweep sweep{.collectives = {try_find<Collective>("allreduce")},
                    .types = {DType::f32},
                    .ops = {Op::sum},
                    .sizes = {400},
                    .places = {false}};
  const auto records = measure_two_kinds(make_plan_of_two_kinds(sweep, 2, 2));
  ASSERT_EQ(records.size(), 3U);
  const CaseRecord &one = records[0], &other = records[1], &both = records[2];
  for (const CaseRecord& c : records) EXPECT_EQ(c.check.state, CheckState::passed) << c.reason.value_or("");
  EXPECT_EQ(one.key.group, "rank / 2");
  EXPECT_EQ(other.key.group, "rank % 2");
  EXPECT_EQ(both.key.group, "rank / 2 + rank % 2");
  EXPECT_EQ(both.key.ranks, 4);
  EXPECT_FALSE(both.busbw_GBps);
  ASSERT_EQ(one.groups.size(), 2U);
  EXPECT_EQ(one.groups[1].ranks, "2-3");
  EXPECT_EQ(slowest_group(one), &one.groups[1]) << "the group of the late rank";
  EXPECT_GT(one.groups[1].time_s, 8e-3) << "at least the delay";
  EXPECT_GT(one.groups[1].over_others, 1);
  EXPECT_GT(one.groups[0].busbw_GBps.value(), one.groups[1].busbw_GBps.value());
  EXPECT_EQ(other.groups[1].ranks, "1,3");
  ASSERT_EQ(both.calls.size(), 2U);
  EXPECT_GT(both.calls[0].time_s, 8e-3);
  EXPECT_GE(*both.time_s * 1.000001, both.calls[0].time_s);
  EXPECT_EQ(both.groups.size(), 4U) << "of both kinds";
  EXPECT_GE(*both.check.calls_made, 2 * 20U) << "both calls of a sample count";
  EXPECT_EQ(*both.check.calls_made % 2, 0U);
}

/// Two of four ranks measure. The record has their numbers in the job.
TEST(Runner, KeepsRankNumbersOfAPart) {
  run_ranks(2, [](Group& group, Backend& backend) {
    const Ranks ranks = on_hosts({0, 0, 1, 1}).part({1, 3});
    ClockSync clock(group, ranks.clock_of_ranks());
    Listener listener;
    Progress progress;
    const Team team = one_team(group, ranks);
    Runner(group, backend, threads, count_of(10), ranks, team, clock, progress).run(sizes({8}, 2), listener);
    const CaseRecord& record = listener.records.at(0);
    EXPECT_EQ(record.key.nodes, 2);
    ASSERT_EQ(record.ranks.size(), 2U);
    EXPECT_EQ(record.ranks[0].rank, 1);
    EXPECT_EQ(record.ranks[1].rank, 3);
  });
}

TEST(Runner, TimesAColdCallFromTheLastStart) {
  run_ranks(2, [](Group& group, Backend& backend) {
    Ranks ranks = on_one_host(2);
    ranks.yield = true;
    auto plan = sizes({400}, 2);
    plan[0].cadence = Cadence::cold;
    const CaseRecord r = measure(group, backend, plan, count_of(60), ranks).at(0);
    ASSERT_TRUE(r.arrival.has_value());
    EXPECT_GT(r.arrival->skew_s, 0.05 * cold_skew_s) << "ranks start apart";
    EXPECT_NEAR(*r.time_s / r.arrival->transfer_s, 1, 0.2) << "and that they wait for each other does not count";
  });
}

class EveryCadence : public testing::TestWithParam<Cadence> {};

TEST_P(EveryCadence, MeasuresAndChecksInAndOutOfPlace) {
  run_ranks(2, [](Group& group, Backend& backend) {
    Settings settings = count_of(10);
    settings.streaming_calls = 7;
    settings.costs = true;
    Ranks ranks = on_one_host(2);
    ranks.yield = true;
    for (const bool in_place : {false, true}) {
      auto plan = sizes({400}, 2, in_place);
      plan[0].cadence = GetParam();
      CaseRecord r = measure(group, backend, plan, settings, ranks).at(0);
      for (int again = 0; r.ended_by == EndedBy::missed_windows && again < 50; ++again)  // a busy machine misses some
        r = measure(group, backend, plan, settings, ranks).at(0);
      EXPECT_EQ(r.status, Status::ok) << r.reason.value_or("");
      EXPECT_EQ(r.check.state, CheckState::passed);
      EXPECT_EQ(r.key.cadence, name(GetParam()));
      EXPECT_EQ(r.calls_per_sample, GetParam() == Cadence::streaming ? 7 : 1);
      EXPECT_EQ(r.invalid_samples.has_value(), GetParam() == Cadence::synchronised);
      ASSERT_TRUE(r.overhead.has_value());
      EXPECT_GT(r.overhead->inside_s, 0);
      EXPECT_GT(r.overhead->start_s, 0);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(All, EveryCadence,
                         testing::Values(Cadence::barrier, Cadence::synchronised, Cadence::streaming, Cadence::cold),
                         [](const auto& p) { return std::string(name(p.param)); });

}  // namespace
}  // namespace busbar::test
