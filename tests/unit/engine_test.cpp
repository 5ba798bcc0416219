// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "bench/engine/plan.hpp"

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

TEST(Plan, SizesThatRoundToTheSameAreOneCase) {
  const auto plan = make_plan({.collectives = {named("allreduce")},
                               .types = {DType::i64},
                               .ops = {Op::sum},
                               .sizes = {8, 9, 15, 16},
                               .places = {false}},
                              2);
  ASSERT_EQ(plan.size(), 2U);
  EXPECT_EQ(plan[1].bytes, 16U);
}

TEST(Plan, TooSmallASizeIsACaseWithAReason) {
  const auto plan =
      make_plan({.collectives = {named("alltoall")}, .types = {DType::f64}, .sizes = {8}, .places = {false}}, 4);
  ASSERT_EQ(plan.size(), 1U);
  EXPECT_EQ(plan[0].skip, "8 B is less than one fp64 element for each rank, 32 B");
}

TEST(Plan, FormsThatDoNotExistAreNotMeasuredTwice) {
  const Sweep sweep{.collectives = {named("broadcast"), named("barrier"), named("allreduce")},
                    .types = {DType::f32},
                    .ops = {Op::sum, Op::max},
                    .sizes = {8, 16},
                    .places = {false, true}};
  const auto plan = make_plan(sweep, 2);
  EXPECT_EQ(plan.size(), 2U + 1U + 8U);
  EXPECT_TRUE(plan[0].in_place);
}

TEST(Plan, TheKeyHoldsWhatApplies) {
  const Team team{.world = {.ranks = 4, .nodes = 2, .ranks_per_node = 2}};
  const Case reduce{.collective = named("reduce"),
                    .type = DType::bf16,
                    .op = Op::max,
                    .root = 3,
                    .in_place = true,
                    .count = 4,
                    .bytes = 8};
  EXPECT_EQ(to_string(key_of(reduce, team, "mpi", "host", Cadence::barrier)),
            "reduce/mpi/host/bf16/max/root:3/in_place/ranks:4/nodes:2/ranks_per_node:2/barrier/bytes:8");
  const Case barrier{.collective = named("barrier")};
  EXPECT_EQ(to_string(key_of(barrier, team, "mpi", "host", Cadence::streaming)),
            "barrier/mpi/host/ranks:4/nodes:2/ranks_per_node:2/streaming/bytes:0");
}

}  // namespace
}  // namespace busbar::test
