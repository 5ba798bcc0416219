// SPDX-License-Identifier: Apache-2.0
#include "reports/libraries/nccl_cost.hpp"

#include <string>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "core/base/error.hpp"

// Against what NCCL itself printed in public logs, and against sums by hand from src/graph/tuning.cc.

namespace busbar::libraries::test {
namespace {

using enum NcclAlgorithm;
using enum NcclProtocol;

constexpr std::uint64_t KiB = 1U << 10U, MiB = 1U << 20U;

/// Two ranks on two hosts over sockets, GeForce RTX 5090, NCCL 2.29.7 (github.com/eunomia-bpf/nccl-eBPF, docs/tmp,
/// March 2026). The log does not say how many channels; only their sum counts.
NcclSetup sockets() {
  return {.constants = &constants_of_nccl("2.29.7"),
          .gpus = Gpus::blackwell,
          .ring = {.channels = 4, .in_node_GBps = 0.6, .between_GBps = 0.6},
          .tree = {.channels = 4, .in_node_GBps = 1.2, .between_GBps = 1.2},
          .plain_tree = true};
}
NcclCall over_sockets(NcclFunction function, std::uint64_t bytes = 0) {
  return {.function = function, .ranks = 2, .nodes = 2, .bytes = bytes};
}

/// 8 H200 of a node, NCCL 2.30.4 (github.com/C-TC/multi-gpu-programming-models, repro/thesis_microbench, May 2026).
NcclSetup h200() {
  const NcclPaths paths{.channels = 24, .in_node_GBps = 15, .between_GBps = 15};
  return {.constants = &constants_of_nccl("2.30.4"),
          .gpus = Gpus::hopper,
          .ring = paths,
          .tree = paths,
          .nvls = {.channels = 8, .in_node_GBps = 40, .between_GBps = 40},
          .ll128 = true};
}
NcclCall on_h200(std::uint64_t bytes = 0) { return {.ranks = 8, .nodes = 1, .bytes = bytes}; }

/// 3 nodes of 8 H100 (github.com/NVIDIA/nccl, issue 1453). The excerpt names no version: at these sizes, all have the
/// same times.
NcclSetup h100(const NcclConstants& constants) {
  const NcclPaths paths{.channels = 16, .in_node_GBps = 12, .between_GBps = 12};
  return {.constants = &constants,
          .gpus = Gpus::hopper,
          .ring = paths,
          .tree = paths,
          .ll128 = true,
          .plain_tree = constants.plain_tree_share < 1};
}
NcclCall on_h100(std::uint64_t bytes) { return {.ranks = 24, .nodes = 3, .bytes = bytes}; }

/// "15.2/43.6", as NCCL prints a row of its table; "0.0/0.0" for what it does not use.
std::string row(const NcclSetup& setup, const NcclCall& call, NcclAlgorithm a, NcclProtocol p) {
  const auto cost = nccl_cost(setup, call, a, p).value_or(NcclCost{});
  return fmt::format("{:.1f}/{:.1f}", cost.latency_us, cost.GBps);
}

std::string choice(const NcclSetup& setup, const NcclCall& call) {
  const auto c = nccl_choice(setup, call);
  return c ? fmt::format("{}/{}", name(c->algorithm), name(c->protocol)) : "none";
}

TEST(NcclCost, HasTheTableOfTwoHostsOverSockets) {
  const auto of = [](NcclFunction function, NcclAlgorithm a, NcclProtocol p) {
    return row(sockets(), over_sockets(function), a, p);
  };
  for (const NcclFunction from_root : {NcclFunction::broadcast, NcclFunction::reduce}) {
    EXPECT_EQ(of(from_root, ring, ll), "9.3/1.2");
    EXPECT_EQ(of(from_root, ring, simple), "22.4/2.4");
    EXPECT_EQ(of(from_root, tree, simple), "0.0/0.0");
  }
  for (const NcclFunction gather : {NcclFunction::allgather, NcclFunction::reduce_scatter}) {
    EXPECT_EQ(of(gather, ring, ll), "11.6/2.4");
    EXPECT_EQ(of(gather, ring, simple), "22.4/4.8");
    EXPECT_EQ(of(gather, pat, simple), "17.6/3.6");
    EXPECT_EQ(of(gather, pat, ll), "0.0/0.0");
  }
  EXPECT_EQ(of(NcclFunction::allreduce, tree, ll), "16.8/0.5");
  EXPECT_EQ(of(NcclFunction::allreduce, tree, simple), "36.4/1.9");
  EXPECT_EQ(of(NcclFunction::allreduce, ring, ll), "16.6/1.2");
  EXPECT_EQ(of(NcclFunction::allreduce, ring, simple), "36.4/2.4");
  EXPECT_EQ(of(NcclFunction::allreduce, pat, simple), "0.0/0.0");
}

TEST(NcclCost, HasTheTableOfEightH200) {
  const auto of = [](NcclAlgorithm a, NcclProtocol p) { return row(h200(), on_h200(), a, p); };
  EXPECT_EQ(of(tree, ll), "15.2/43.6");
  EXPECT_EQ(of(tree, ll128), "31.5/128.8");
  EXPECT_EQ(of(tree, simple), "64.4/165.6");
  EXPECT_EQ(of(ring, ll), "15.0/80.6");
  EXPECT_EQ(of(ring, ll128), "40.6/189.3");
  EXPECT_EQ(of(ring, simple), "56.0/205.7");
  EXPECT_EQ(of(nvls, simple), "25.0/272.0");
  EXPECT_EQ(of(nvls_tree, simple), "0.0/0.0");
}

TEST(NcclCost, HasTheTimesOfThreeNodesOfH100) {
  for (const NcclConstants& version : nccl_versions()) {
    if (!(version.plain_tree_share < 1)) continue;  // 2.18.1, which no log is of, has no such share
    const auto us = [&](std::uint64_t bytes) { return nccl_choice(h100(version), on_h100(bytes))->us; };
    EXPECT_NEAR(us(8), 25.200924, 2e-6) << version.version;
    EXPECT_NEAR(us(256), 25.229528, 2e-6);
    EXPECT_NEAR(us(512), 25.259054, 2e-6);
    EXPECT_NEAR(us(64 * KiB), 37.798233, 5e-6);
    EXPECT_NEAR(us(128 * KiB), 51.603912, 5e-6);
  }
}

/// What NCCL logged that it chose for sizes from `first` to `last_bytes`, in powers of two. Sizes are those of the
/// larger buffer: the log of an allgather has a rank's share.
struct Logged {
  std::string_view log;
  NcclSetup setup;
  NcclCall first;
  std::uint64_t last_bytes;
  std::string_view choice;
};

std::vector<Logged> logged() {
  std::vector<Logged> all{
      {"sockets", sockets(), over_sockets(NcclFunction::broadcast, KiB), 16 * KiB, "ring/ll"},
      {"sockets", sockets(), over_sockets(NcclFunction::broadcast, 32 * KiB), 128 * MiB, "ring/simple"},
      {"H200", h200(), on_h200(KiB), 32 * KiB, "ring/ll"},
      {"H200", h200(), on_h200(256 * KiB), 256 * KiB, "ring/ll"},
      {"H200", h200(), on_h200(MiB), MiB, "ring/ll"},
      {"H200", h200(), on_h200(2 * MiB), 32 * MiB, "nvls/simple"},
      {"H100", h100(constants_of_nccl("2.21")), on_h100(8), 8, "tree/ll"},
      {"H100", h100(constants_of_nccl("2.21")), on_h100(256), 512, "tree/ll"},
      {"H100", h100(constants_of_nccl("2.21")), on_h100(64 * KiB), 64 * KiB, "tree/ll"},
      {"H100", h100(constants_of_nccl("2.21")), on_h100(128 * KiB), 128 * KiB, "tree/ll128"},
  };
  NcclSetup without_nvls = h200();
  without_nvls.nvls = {};
  all.push_back({"H200, NCCL_NVLS_ENABLE=0", without_nvls, on_h200(KiB), KiB, "ring/ll"});
  all.push_back({"H200, NCCL_NVLS_ENABLE=0", without_nvls, on_h200(32 * MiB), 32 * MiB, "ring/ll128"});
  for (const NcclFunction gather : {NcclFunction::allgather, NcclFunction::reduce_scatter}) {
    all.push_back({"sockets", sockets(), over_sockets(gather, 32), 32 * KiB, "ring/ll"});
    all.push_back({"sockets", sockets(), over_sockets(gather, 64 * KiB), 64 * KiB, "pat/simple"});
    all.push_back({"sockets", sockets(), over_sockets(gather, 128 * KiB), 128 * MiB, "ring/simple"});
  }
  return all;
}

TEST(NcclCost, ChoosesAsNcclLogged) {
  int sizes = 0;
  for (const Logged& l : logged()) {
    NcclCall call = l.first;
    for (; call.bytes <= l.last_bytes; call.bytes *= 2, ++sizes)
      EXPECT_EQ(choice(l.setup, call), l.choice)
          << l.log << ", " << name(call.function) << " of " << call.bytes << " B";
  }
  EXPECT_EQ(sizes, 84);
}

NcclSetup a100(std::string_view version) {
  const NcclPaths paths{.channels = 4, .in_node_GBps = 6, .between_GBps = 6};
  return {.constants = &constants_of_nccl(version), .ring = paths, .tree = paths};
}
NcclCall on_nodes(int nodes, std::uint64_t bytes, int per_node = 4) {
  return {.ranks = per_node * nodes, .nodes = nodes, .bytes = bytes};
}

// Worked by hand

TEST(NcclCost, GivesTheModelsTimes) {
  const auto us = [](std::string_view version, NcclAlgorithm a, NcclProtocol p, const NcclCall& call) {
    return *nccl_us(a100(version), call, a, p);
  };
  // 6.8 + 2 (3 x 0.6 + 5.0) us; 24 x 0.92 / 3.8 GB/s for twice the bytes
  EXPECT_NEAR(us("2.18.3", tree, ll, on_nodes(2, 8)), 20.4 + 8 / (1000 * 24 * 0.92 / 3.8 / 2), 1e-9);
  // 14 steps, 4 of them between nodes, from 2.23 on 2; posting takes 1 us: 6.6 + 10 x 1 + 4 x 2.7 us; 24 / 4 GB/s
  EXPECT_NEAR(us("2.18.3", ring, ll, on_nodes(2, 8)), 27.4 + 8 / (1000 * 6.0 * 8 / 14), 1e-9);
  EXPECT_NEAR(us("2.23.4", ring, ll, on_nodes(2, 8)), 6.6 + 12 * 1 + 2 * 2.7 + 8 / (1000 * 12.0 * 8 / 14), 1e-9);
  // 1.4 (8.4 + 46 x 3.4 + 16 x 14) us; 24 GB/s
  EXPECT_NEAR(us("2.18.3", ring, simple, on_nodes(8, 1024 * MiB)),
              1.4 * (8.4 + 46 * 3.4 + 16 * 14) + 1024.0 * MiB / (1000 * 24.0 * 32 / 62), 1e-6);
  // 2 (3 x 4 + 3 x 14) us, from 2.23 on 8.4 us more; 24 x 0.92 GB/s for twice the bytes; 2.19 has 28 us a hop
  const double bytes_us = 1024.0 * MiB / (1000 * 24 * 0.92 / 2);
  EXPECT_NEAR(us("2.18.3", tree, simple, on_nodes(8, 1024 * MiB)), 108 + bytes_us, 1e-6);
  EXPECT_NEAR(us("2.19.3", tree, simple, on_nodes(8, 1024 * MiB)), 2 * 6 * 28 + bytes_us, 1e-6);
  EXPECT_NEAR(us("2.23.4", tree, simple, on_nodes(8, 1024 * MiB)), 116.4 + bytes_us, 1e-6);
}

TEST(NcclCost, HasNvlsBetweenNodesByVersion) {
  const auto of = [](std::string_view version, int nodes, Gpus gpus = Gpus::hopper) {
    NcclSetup setup = a100(version);
    setup.gpus = gpus;
    setup.nvls = {.channels = 8, .in_node_GBps = 40, .between_GBps = 24};
    return row(setup, on_nodes(nodes, 0, 8), nvls_tree, simple);
  };
  EXPECT_EQ(of("2.18.3", 4), fmt::format("{:.1f}/{:.1f}", 23.0 + 2 * 3 * 19, 8 * 24 * 0.7 * 4 / 6.0));
  EXPECT_EQ(of("2.19.3", 2), fmt::format("{:.1f}/{:.1f}", 23.0 + 2 * 14, 8 * 24 * 5.0 / 6));
  EXPECT_EQ(of("2.21.5", 4), fmt::format("{:.1f}/{:.1f}", 25.0 + 2 * 2 * 14, 8 * 12 * 5.0 / 6));
  EXPECT_EQ(of("2.28.9", 2), fmt::format("{:.1f}/{:.1f}", 25 + 2 * 20.9, 8 * 48 * 16.0 / 30));
  EXPECT_EQ(of("2.28.9", 4), fmt::format("{:.1f}/{:.1f}", 25 + 4 * 20.9, 8 * 24 * 32.0 / 62));
  EXPECT_EQ(of("2.28.9", 4, Gpus::ampere), "0.0/0.0");
}

TEST(NcclCost, HasCollNetOnlyWhereItIsFound) {
  NcclSetup setup = a100("2.21");
  EXPECT_EQ(row(setup, on_nodes(4, 0, 8), collnet_direct, simple), "0.0/0.0");
  setup.collnet = {.channels = 4, .in_node_GBps = 20, .between_GBps = 20};
  // 2 (3.7 + 7 x 0.4) + 31 us; 80 GB/s over 1.5 (2 GPUs a card), for twice the bytes
  EXPECT_EQ(row(setup, on_nodes(4, 0, 8), collnet_direct, simple), fmt::format("{:.1f}/{:.1f}", 44.0, 80 / 1.5 / 2));
  EXPECT_EQ(row(setup, on_nodes(4, 0, 8), collnet_chain, simple), fmt::format("{:.1f}/{:.1f}", 2 * 7 * 2.8 + 30, 40.0));
  EXPECT_EQ(row(setup, on_nodes(1, 0, 8), collnet_chain, simple), "0.0/0.0");
  NcclCall gather = on_nodes(4, 0, 8);
  gather.function = NcclFunction::allgather;
  EXPECT_EQ(nccl_cost(setup, gather, collnet_direct, simple)->GBps, 8 * 20 * 0.85);
  setup.constants = &constants_of_nccl("2.27");
  EXPECT_EQ(nccl_cost(setup, gather, collnet_direct, simple)->GBps, 8 * 18);
}

TEST(NcclCost, HasNoChoiceForOneRank) { EXPECT_EQ(choice(a100("2.21"), {.ranks = 1, .nodes = 1, .bytes = 8}), "none"); }

TEST(NcclConstants, AreThoseOfTheLastVersionThatIsNotNewer) {
  EXPECT_EQ(constants_of_nccl("NCCL 2.18.5+cuda12.2").version, "2.18.3");
  EXPECT_EQ(constants_of_nccl("2.22.3").version, "2.21");
  EXPECT_EQ(constants_of_nccl("2.28").version, "2.28.9");
  EXPECT_EQ(constants_of_nccl("2.28.3").version, "2.28.3");
  EXPECT_EQ(constants_of_nccl("2.10.3").version, "2.18.1");
  EXPECT_EQ(constants_of_nccl("2.31.1").version, "2.30");
  EXPECT_EQ(constants_of_nccl("NCCL").version, "2.30");
  const NcclConstants& first_with_blackwell = constants_of_nccl("2.25.1");
  EXPECT_EQ(first_with_blackwell.tree_channel_most.back()[0], 77.4);
  EXPECT_EQ(constants_of_nccl("2.24.3").tree_channel_most.back(), constants_of_nccl("2.24.3").tree_channel_most[2]);
  for (const NcclConstants& c : nccl_versions()) EXPECT_TRUE(c.tag.starts_with("v" + c.version)) << c.tag;
}

TEST(NcclConstants, NameWhatIsWrongInTheFile) {
  const auto error = [](const std::string& text) -> std::string {
    try {
      (void)parse_nccl_constants(text);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_TRUE(error("{").starts_with("nccl.json: versions: "));
  EXPECT_EQ(error(R"({"versions": []})"), "nccl.json: versions: no version");
  EXPECT_TRUE(error(R"({"versions": [{"version": "2.18", "tag": "v2.18.1-1"}]})").find("base_us") != std::string::npos);
  std::string text(nccl_json());
  const auto rule = text.find("\"2.27\", \"collnet_gathers\"");
  ASSERT_NE(rule, std::string::npos);
  text.replace(rule, 6, "\"9.99\"");
  EXPECT_EQ(error(text), "nccl.json: version 2.27: unknown word '9.99'; known: 2.18, 2.19, 2.27, 2.28");
}

}  // namespace
}  // namespace busbar::libraries::test
