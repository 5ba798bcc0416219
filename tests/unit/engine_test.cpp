// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "bench/engine/cold_caches.hpp"
#include "bench/engine/plan.hpp"
#include "tests/unit/made_up_tree.hpp"

namespace busbar::test {
namespace {

const Collective* named(std::string_view text) { return try_find<Collective>(text); }

TEST(Plan, SizesRoundDownToWholeElementsAndBlocks) {
  const auto plan =
      make_plan({.collectives = {named("allgather")}, .types = {DType::f32}, .sizes = {100, 64}, .places = {false}}, 3);
  ASSERT_EQ(plan.size(), 2U);
  EXPECT_EQ(plan[0].count, 8U);
  EXPECT_EQ(plan[0].bytes, 96U);
  EXPECT_EQ(plan[1].bytes, 60U);
}

TEST(Plan, OfTwoKindsHasTheSameSizesForBoth) {
  const Sweep sweep{.collectives = {named("allgather"), named("barrier")},
                    .types = {DType::f32},
                    .sizes = {8, 100, 102, 1024},
                    .places = {false}};
  const auto plan = make_plan_of_two_kinds(sweep, 2, 3);
  ASSERT_EQ(plan.size(), 3 * 4U) << "100 and 102 are one size; a barrier";
  for (std::size_t i = 0; i < 4; ++i) {
    const Case &one = plan[i], &other = plan[4 + i], &both = plan[8 + i];
    EXPECT_EQ(one.bytes, other.bytes);
    EXPECT_EQ(one.bytes, both.bytes);
    EXPECT_EQ(other.caller, Caller::second);
    EXPECT_EQ(both.caller, Caller::alternating);
    EXPECT_EQ(both.count, one.count);
    EXPECT_EQ(both.second_count, other.count);
  }
  EXPECT_TRUE(plan[0].skip) << "8 B are no whole block of 2 and of 3 ranks";
  EXPECT_EQ(plan[1].bytes, 96U);
  EXPECT_EQ(plan[1].count, 12U);
  EXPECT_EQ(plan[5].count, 8U);
}

TEST(Plan, MergesSizesThatRoundToTheSame) {
  const auto plan = make_plan({.collectives = {named("allreduce")},
                               .types = {DType::i64},
                               .ops = {Op::sum},
                               .sizes = {8, 9, 15, 16},
                               .places = {false}},
                              2);
  ASSERT_EQ(plan.size(), 2U);
  EXPECT_EQ(plan[1].bytes, 16U);
}

TEST(Plan, SkipsTooSmallSizesWithAReason) {
  const auto plan =
      make_plan({.collectives = {named("alltoall")}, .types = {DType::f64}, .sizes = {8}, .places = {false}}, 4);
  ASSERT_EQ(plan.size(), 1U);
  EXPECT_EQ(plan[0].skip, "8 B is less than one fp64 element for each rank, 32 B");
}

TEST(Plan, VariesOnlyWhatACollectiveHas) {
  const Sweep sweep{.collectives = {named("broadcast"), named("barrier"), named("allreduce")},
                    .types = {DType::f32},
                    .ops = {Op::sum, Op::max},
                    .sizes = {8, 16},
                    .places = {false, true}};
  const auto plan = make_plan(sweep, 2);
  EXPECT_EQ(plan.size(), 2U + 1U + 8U);
  EXPECT_TRUE(plan[0].in_place);
}

TEST(Plan, PutsColdCasesAfterHotOnes) {
  const auto plan = make_plan({.collectives = {named("allreduce")},
                               .types = {DType::f32},
                               .ops = {Op::sum},
                               .sizes = {8, 16},
                               .places = {false},
                               .cadences = {Cadence::barrier, Cadence::cold}},
                              2);
  ASSERT_EQ(plan.size(), 4U);
  EXPECT_EQ(plan[1].cadence, Cadence::barrier);
  EXPECT_EQ(plan[2].cadence, Cadence::cold);
  EXPECT_EQ(plan[2].bytes, 8U);
}

/// What rank `rank` of `ranks` sends and receives in `name`, in messages of 2 elements.
Geometry of_rank(int rank, int ranks, int window) {
  return {.count = 2, .rank = rank, .ranks = ranks, .window = window};
}

TEST(Pairs, GiveEachMessageABlockOfItsOwn) {
  const Collective& c = *named("unidirectional");
  EXPECT_EQ(c.layout(of_rank(0, 4, 3)).send, 6U);
  EXPECT_EQ(c.layout(of_rank(0, 4, 3)).recv, 0U);
  EXPECT_EQ(c.layout(of_rank(3, 4, 3)).recv, 6U);
  const auto blocks = c.result(of_rank(3, 4, 3));
  ASSERT_EQ(blocks.size(), 3U);
  EXPECT_EQ(blocks[2].at, 4U);
  EXPECT_EQ(blocks[2].from, 4U) << "of the send buffer: other data than that of the first message";
  EXPECT_EQ(blocks[2].source, 1);
  EXPECT_EQ(named("get")->result(of_rank(1, 4, 1)).at(0).source, 3);
  EXPECT_EQ(named("bidirectional")->layout(of_rank(2, 4, 3)).send, 6U);
}

TEST(Pairs, LeaveOutTheLastOfAnOddNumberOfRanks) {
  for (const char* name : {"pingpong", "unidirectional", "bidirectional", "put", "get", "accumulate"}) {
    const Geometry last = of_rank(4, 5, 2);
    EXPECT_EQ(named(name)->peers(last).to, 4) << name;
    EXPECT_EQ(named(name)->layout(last).send + named(name)->layout(last).recv, 0U) << name;
    EXPECT_TRUE(named(name)->result(last).empty()) << name;
    EXPECT_EQ(named(name)->peers(of_rank(1, 5, 2)).to, 3) << name;
  }
}

TEST(Pairs, DivideTimesByTheMessagesOfACall) {
  const auto parts = [](const char* name, int window) {
    return Case{.collective = named(name), .window = window}.parts();
  };
  EXPECT_EQ(parts("pingpong", 0), 2) << "half a round trip";
  EXPECT_EQ(parts("unidirectional", 64), 64);
  EXPECT_EQ(parts("bidirectional", 64), 128) << "of both directions";
  EXPECT_EQ(parts("put", 1), 1);
  EXPECT_EQ(parts("allreduce", 0), 1);
}

TEST(Pairs, AreSkippedWithOneRank) {
  const auto plan =
      make_plan({.collectives = {named("put")}, .types = {DType::f32}, .sizes = {8}, .places = {false}}, 1);
  EXPECT_EQ(plan.at(0).skip, "a pair needs two ranks");
}

TEST(ColdCaches, KnowTheSizeOfTheLargestCache) {
  const Tree tree;
  EXPECT_FALSE(largest_cache_bytes(tree.root()));
  Tree caches;
  caches.file("cache/index0/size", "48K\n").file("cache/index3/size", "32768K\n").file("cache/index2/size", "1024K\n");
  EXPECT_EQ(largest_cache_bytes(caches.root()), 32U << 20);
  EXPECT_FALSE(largest_cache_bytes(Tree().file("cache/index0/size", "big\n").root()));
}

TEST(Plan, FillsOnlyApplicablePartsOfTheKey) {
  const Team team{.world = {.ranks = 4, .nodes = 2, .ranks_per_node = 2}};
  const Case reduce{.collective = named("reduce"),
                    .type = DType::bf16,
                    .op = Op::max,
                    .root = 3,
                    .in_place = true,
                    .count = 4,
                    .bytes = 8};
  EXPECT_EQ(to_string(key_of(reduce, team, "mpi", "host")),
            "reduce/mpi/host/bf16/max/root:3/in_place/ranks:4/nodes:2/ranks_per_node:2/barrier/bytes:8");
  const Case put{.collective = named("put"), .cadence = Cadence::streaming, .window = 8, .count = 2, .bytes = 8};
  EXPECT_EQ(to_string(key_of(put, team, "mpi", "host")),
            "pair:put/mpi/host/fp32/ranks:4/nodes:2/ranks_per_node:2/streaming/window:8/bytes:8");
  const Case barrier{.collective = named("barrier"), .cadence = Cadence::streaming};
  EXPECT_EQ(to_string(key_of(barrier, team, "mpi", "host")),
            "barrier/mpi/host/ranks:4/nodes:2/ranks_per_node:2/streaming/bytes:0");
}

}  // namespace
}  // namespace busbar::test
