// SPDX-License-Identifier: Apache-2.0
#include "reports/fit/nccl_model.hpp"

#include <cmath>

#include <gtest/gtest.h>

// Against sums by hand from the constants of src/graph/tuning.cc.

namespace busbar::fit::test {
namespace {

constexpr std::uint64_t MiB = 1U << 20U;
Scale on_nodes(int nodes) { return {.ranks = 4 * nodes, .nodes = nodes}; }

/// 4 channels of 6 GB/s, as of version 2.18 and 2.23.
NcclSetup setup(std::size_t version) {
  return {.version = &nccl_versions()[version], .channels = 4, .channel_GBps = 6};
}

TEST(NcclModel, GivesTheModelsTimes) {
  // tree, LL, 8 B on 2 nodes: 6.8 + 2 (3 x 0.6 + 5.0) us; 24 x 0.92 / 3.8 GB/s for twice the bytes
  EXPECT_NEAR(nccl_model_us(setup(0), "tree", on_nodes(2), 8), 20.4 + 8 / (1000 * 24 * 0.92 / 3.8 / 2), 1e-9);
  // ring, LL: 14 steps, 4 of them between nodes; posting takes 1 us: 6.6 + 10 x 1 + 4 x 2.7 us; 24 / 4 GB/s
  EXPECT_NEAR(nccl_model_us(setup(0), "ring", on_nodes(2), 8), 27.4 + 8 / (1000 * 6.0 * 8 / 14), 1e-9);
  // ring, Simple, 1 GiB on 8 nodes: 1.4 (8.4 + 46 x 3.4 + 16 x 14) us; 24 GB/s
  EXPECT_NEAR(nccl_model_us(setup(0), "ring", on_nodes(8), 1024 * MiB),
              1.4 * (8.4 + 46 * 3.4 + 16 * 14) + 1024.0 * MiB / (1000 * 24.0 * 32 / 62), 1e-6);
  // tree, Simple, 1 GiB on 8 nodes: 2 (3 x 4 + 3 x 14) us, from 2.23 on 8.4 us more; 24 x 0.92 GB/s for twice the bytes
  const double bytes_us = 1024.0 * MiB / (1000 * 24 * 0.92 / 2);
  EXPECT_NEAR(nccl_model_us(setup(0), "tree", on_nodes(8), 1024 * MiB), 108 + bytes_us, 1e-6);
  EXPECT_NEAR(nccl_model_us(setup(3), "tree", on_nodes(8), 1024 * MiB), 116.4 + bytes_us, 1e-6);
}

TEST(NcclModel, IsATreeForSmallSizesAndManyNodes) {
  for (std::size_t version = 0; version < nccl_versions().size(); ++version) {
    EXPECT_EQ(nccl_choice(setup(version), on_nodes(8), 8), "tree");
    EXPECT_EQ(nccl_choice(setup(version), on_nodes(8), 1024 * MiB), "ring");
    EXPECT_EQ(nccl_choice(setup(version), on_nodes(512), 64 * MiB), "tree");
  }
}

TEST(NcclModel, CountsSetUps) {
  const auto setups = nccl_setups(10);
  EXPECT_EQ(setups.size(), nccl_versions().size() * 3 * 4 * 2 * 2);
  for (const NcclSetup& one : setups) EXPECT_GE(one.channels * one.channel_GBps, 10);
  for (const std::uint64_t bytes : {8 * std::uint64_t{1}, MiB, 16 * MiB, 1024 * MiB}) {
    const double tree = share_of_choice(setups, "tree", on_nodes(8), bytes);
    EXPECT_DOUBLE_EQ(tree + share_of_choice(setups, "ring", on_nodes(8), bytes), 1);
  }
  EXPECT_EQ(share_of_choice(setups, "tree", on_nodes(8), 8), 1);
  EXPECT_EQ(share_of_choice(setups, "ring", on_nodes(2), 1024 * MiB), 1);
}

TEST(NcclModel, TellsChangesWithScale) {
  const auto setups = nccl_setups(10);
  const NcclChange to_tree = nccl_change(setups, "ring", on_nodes(8), "tree", on_nodes(512), 64 * MiB);
  EXPECT_EQ(to_tree.chance, 1);
  EXPECT_GT(to_tree.ratio, 1);
  const NcclChange none = nccl_change(setups, "tree", on_nodes(8), "ring", on_nodes(512), 8);
  EXPECT_EQ(none.chance, 0);
  const NcclChange unknown = nccl_change(setups, "ring", on_nodes(8), "tree", on_nodes(512), 8);
  EXPECT_EQ(unknown.chance, 0.5) << "no set-up has a ring there";
  EXPECT_EQ(unknown.ratio, 1);
}

}  // namespace
}  // namespace busbar::fit::test
