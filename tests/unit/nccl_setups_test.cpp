// SPDX-License-Identifier: Apache-2.0
#include "reports/fit/nccl_setups.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace busbar::fit::test {
namespace {

using libraries::Gpus;

constexpr std::uint64_t MiB = 1U << 20U;
Scale on_nodes(int nodes) { return {.ranks = 4 * nodes, .nodes = nodes}; }

/// Allreduces on 2 and 8 nodes of 4 ranks, with a largest bus bandwidth of 10 GB/s.
Sweep sweep() {
  Sweep s{.collective = "allreduce",
          .backend = "nccl",
          .level = std::string(between_nodes),
          .device = "NVIDIA A100-SXM4-40GB"};
  for (const int nodes : {2, 8}) {
    const double factor = 2 * (on_nodes(nodes).ranks - 1.0) / on_nodes(nodes).ranks;
    for (const std::uint64_t bytes : {std::uint64_t{8}, 16 * MiB, 1024 * MiB})
      s.points.push_back(
          {.scale = on_nodes(nodes), .bytes = bytes, .time_s = 1e-4 + factor * static_cast<double>(bytes) / 10e9});
  }
  return s;
}

std::set<std::string> versions(const std::vector<NcclSetup>& setups) {
  std::set<std::string> all;
  for (const NcclSetup& one : setups) all.insert(one.constants->version);
  return all;
}

TEST(NcclSetups, AreATreeForSmallSizesAndManyNodes) {
  for (const NcclSetup& one : setups_of(sweep())) {
    EXPECT_EQ(nccl_algorithm(one, on_nodes(8), 8), "tree");
    EXPECT_EQ(nccl_algorithm(one, on_nodes(2), 1024 * MiB), "ring");
    EXPECT_EQ(nccl_algorithm(one, on_nodes(512), 64 * MiB), "tree");
  }
}

TEST(NcclSetups, ReachTheMeasuredBandwidth) {
  const auto setups = setups_of(sweep());
  ASSERT_FALSE(setups.empty());
  EXPECT_EQ(setups.size(), versions(setups).size() * 3 * 4 * 2 * 2);
  for (const NcclSetup& one : setups) EXPECT_GE(one.ring.channels * one.ring.between_GBps, 9.9);
  for (const std::uint64_t bytes : {8 * std::uint64_t{1}, MiB, 16 * MiB, 1024 * MiB}) {
    const double tree = share_of_choice(setups, "tree", on_nodes(8), bytes);
    EXPECT_DOUBLE_EQ(tree + share_of_choice(setups, "ring", on_nodes(8), bytes), 1);
  }
}

TEST(NcclSetups, AreFewerWhereRecordsSayMore) {
  Sweep s = sweep();
  const std::size_t all = setups_of(s).size();
  s.library = "NCCL 2.21.5";
  EXPECT_EQ(versions(setups_of(s)), std::set<std::string>{"2.21"});
  s.cpu = "AMD EPYC 7543 32-Core Processor";
  const auto some = setups_of(s);
  EXPECT_EQ(some.size(), 3U * 4 * 2);
  EXPECT_TRUE(std::ranges::all_of(some, &NcclSetup::amd));
  for (Observation& o : s.points) o.choice = o.bytes > 8 ? "ring/simple" : "tree/ll", o.reported = true;
  EXPECT_LT(setups_of(s).size(), some.size());
  EXPECT_GT(setups_of(s).size(), 0U);
  for (Observation& o : s.points) o.reported = false;
  EXPECT_EQ(setups_of(s).size(), some.size()) << "a requested algorithm says nothing of the library's choice";
  s = sweep();
  s.device = "";
  EXPECT_GT(setups_of(s).size(), all);
}

TEST(NcclSetups, HaveNvlsFromHopperOn) {
  Sweep s = sweep();
  s.library = "NCCL 2.27.7";
  EXPECT_TRUE(std::ranges::none_of(setups_of(s), [](const NcclSetup& one) { return one.nvls.channels > 0; }));
  for (const auto& [device, gpus] :
       {std::pair("NVIDIA H100 80GB HBM3", Gpus::hopper), std::pair("NVIDIA GB200", Gpus::blackwell),
        std::pair("NVIDIA H200", Gpus::hopper)}) {
    s.device = device;
    const auto setups = setups_of(s);
    EXPECT_TRUE(std::ranges::all_of(setups, [&](const NcclSetup& one) { return one.gpus == gpus; })) << device;
    EXPECT_EQ(std::ranges::count_if(setups, [](const NcclSetup& one) { return one.nvls.channels == 4; }),
              static_cast<std::ptrdiff_t>(setups.size() / 2));
  }
}

TEST(NcclSetups, AreOfAllreducesOfNcclBetweenNodes) {
  const auto none = [](auto change) {
    Sweep s = sweep();
    change(s);
    return setups_of(s).empty();
  };
  EXPECT_FALSE(none([](Sweep&) {}));
  EXPECT_TRUE(none([](Sweep& s) { s.library = no_library; }));
  EXPECT_TRUE(none([](Sweep& s) { s.backend = "mpi"; }));
  EXPECT_TRUE(none([](Sweep& s) { s.collective = "allgather"; }));
  EXPECT_TRUE(none([](Sweep& s) { s.level = in_node; }));
}

TEST(NcclSetups, TellChangesWithScale) {
  const auto setups = setups_of(sweep());
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
