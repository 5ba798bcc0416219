// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>

#include "bench/engine/runner.hpp"
#include "thread_ranks.hpp"

namespace busbar::test {
namespace {

const BackendFactory threads{.name = "threads", .about = "", .make = nullptr};
const std::atomic<bool> never = false;

Settings quick() { return {.warmup = 1, .stop = StopRule::fixed(2)}; }

std::vector<const Collective*> every_collective() {
  const auto rows = table<Collective>();
  return {rows.begin(), rows.end()};
}

std::vector<DType> every_type() {
  std::vector<DType> all;
  for (const auto& row : dtypes) all.push_back(row.type);
  return all;
}

std::vector<int> one_host(int ranks) { return std::vector<int>(static_cast<std::size_t>(ranks), 0); }

class EveryCollective : public testing::TestWithParam<std::tuple<const Collective*, int, DType>> {};

TEST_P(EveryCollective, GivesTheExpectedData) {
  const auto& [collective, ranks, type] = GetParam();
  const Sweep sweep{.collectives = {collective},
                    .types = {type},
                    .ops = {Op::sum, Op::prod, Op::min, Op::max, Op::avg},
                    .sizes = {size_of(type) * static_cast<std::size_t>(ranks), 1000, 20000},
                    .places = {false, true},
                    .root = ranks - 1};
  const auto plan = make_plan(sweep, ranks);
  ASSERT_FALSE(plan.empty());
  run_ranks(ranks, [&](Group& group, Backend& backend) {
    Runner runner(group, backend, threads, quick(), one_host(group.size()), never);
    for (std::size_t i = 0; i < plan.size(); ++i) {
      const CaseRecord r = runner.run(plan[i], static_cast<int>(i));
      EXPECT_EQ(r.status, Status::ok) << to_string(r.key) << ": " << r.reason.value_or("");
      EXPECT_EQ(r.samples_s.size(), 2U);
      EXPECT_EQ(r.check.state, plan[i].bytes > 0 ? "passed" : "none");
    }
  });
}

std::string label(const testing::TestParamInfo<EveryCollective::ParamType>& p) {
  const auto& [collective, ranks, type] = p.param;
  return std::string(collective->name) + "_np" + std::to_string(ranks) + "_" + std::string(name(type));
}

INSTANTIATE_TEST_SUITE_P(All, EveryCollective,
                         testing::Combine(testing::ValuesIn(every_collective()), testing::Values(1, 2, 3, 4, 7),
                                          testing::ValuesIn(every_type())),
                         label);

TEST(Agree, TheReasonOfTheLowestFailingRankReachesEveryRank) {
  run_ranks(4, [](Group& group, Backend&) {
    const Verdict v = agree(group, attempt([&] {
                              if (group.rank() >= 2) throw Error("broken");
                              if (group.rank() == 1) throw Unsupported("no such type");
                            }));
    EXPECT_EQ(v.severity, Severity::failed);
    EXPECT_EQ(v.reason, "rank 2: broken");
  });
}

TEST(Agree, WhatRank0ThrowsEveryRankThrows) {
  run_ranks(3, [](Group& group, Backend&) {
    EXPECT_THROW(on_rank_0(group, [] { throw UsageError("--out: no"); }), UsageError);
    EXPECT_NO_THROW(on_rank_0(group, [] {}));
  });
}

/// Has no memory on rank 1 from 1 MiB on.
class Cramped final : public ThreadBackend {
 public:
  Cramped(Hub& hub, int rank) : ThreadBackend(hub, rank), rank_(rank) {}
  [[nodiscard]] Buffer allocate(std::size_t bytes) override {
    if (rank_ == 1 && bytes >= std::size_t{1} << 20) throw std::bad_alloc();
    return ThreadBackend::allocate(bytes);
  }

 private:
  int rank_;
};

TEST(Runner, ACaseWithoutMemoryOnOneRankIsSkippedByAllAndTheOthersRun) {
  run_ranks<Cramped>(3, [](Group& group, Cramped& backend) {
    Runner runner(group, backend, threads, quick(), one_host(3), never);
    const auto plan = make_plan({.collectives = {every_collective()[0]},
                                 .types = {DType::f32},
                                 .ops = {Op::sum},
                                 .sizes = {1024, 1 << 20, 2048},
                                 .places = {false}},
                                3);
    std::vector<CaseRecord> records;
    for (const Case& c : plan) records.push_back(runner.run(c, 0));
    EXPECT_EQ(records[0].status, Status::ok);
    EXPECT_EQ(records[1].status, Status::skipped);
    EXPECT_EQ(records[1].reason, "rank 1: out of memory");
    EXPECT_FALSE(records[1].time_s.has_value());
    EXPECT_EQ(records[2].status, Status::ok);
  });
}

TEST(Runner, MoreThanTheMemoryOfTheHostIsSkippedBeforeItIsTouched) {
  run_ranks(2, [](Group& group, Backend& backend) {
    Runner runner(group, backend, threads, quick(), one_host(2), never);
    const Case c{.collective = every_collective()[0],
                 .op = Op::sum,
                 .count = std::size_t{1} << 45,
                 .bytes = std::uint64_t{1} << 47};
    const CaseRecord r = runner.run(c, 0);
    EXPECT_EQ(r.status, Status::skipped);
    EXPECT_NE(r.reason.value().find("GB are free"), std::string::npos) << *r.reason;
  });
}

/// Every call takes rank 1 2 ms longer.
class SlowOne final : public ThreadBackend {
 public:
  SlowOne(Hub& hub, int rank) : ThreadBackend(hub, rank), rank_(rank) {}
  [[nodiscard]] double elapsed_s() override { return ThreadBackend::elapsed_s() + (rank_ == 1 ? 2e-3 : 0); }

 private:
  int rank_;
};

TEST(Runner, ASampleIsTheSlowestRankAndEachRankKeepsItsOwnSummary) {
  run_ranks<SlowOne>(3, [](Group& group, SlowOne& backend) {
    Runner runner(group, backend, threads, quick(), {0, 0, 1}, never);
    const Case c{.collective = every_collective()[0], .op = Op::sum, .count = 10, .bytes = 40};
    const CaseRecord r = runner.run(c, 3);
    EXPECT_EQ(r.index, 3);
    EXPECT_GE(r.statistics.value().min_s, 2e-3);
    ASSERT_EQ(r.ranks.size(), 3U);
    EXPECT_GE(r.ranks[1].min_s, 2e-3);
    EXPECT_EQ(r.time_s, r.statistics->median_s);
    EXPECT_DOUBLE_EQ(r.algbw_GBps.value(), 40 / *r.time_s * 1e-9);
    EXPECT_DOUBLE_EQ(r.busbw_GBps.value(), *r.algbw_GBps * 4 / 3);
    EXPECT_EQ(r.key.nodes, 2);
    EXPECT_FALSE(r.key.ranks_per_node.has_value());
    EXPECT_EQ(r.ended_by, "count");
  });
}

TEST(Runner, AnInterruptedRunKeepsWhatItHas) {
  const std::atomic<bool> always = true;
  run_ranks(2, [&](Group& group, Backend& backend) {
    Runner runner(group, backend, threads, quick(), one_host(2), always);
    const CaseRecord r = runner.run({.collective = every_collective()[0], .op = Op::sum, .count = 10, .bytes = 40}, 0);
    EXPECT_EQ(r.status, Status::skipped);
    EXPECT_TRUE(runner.interrupted());
  });
}

}  // namespace
}  // namespace busbar::test
