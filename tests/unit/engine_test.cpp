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
  const Case barrier{.collective = named("barrier"), .cadence = Cadence::streaming};
  EXPECT_EQ(to_string(key_of(barrier, team, "mpi", "host")),
            "barrier/mpi/host/ranks:4/nodes:2/ranks_per_node:2/streaming/bytes:0");
}

}  // namespace
}  // namespace busbar::test
