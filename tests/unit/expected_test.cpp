// SPDX-License-Identifier: Apache-2.0
#include "reports/expected/expected.hpp"

#include <deque>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/run_record.hpp"
#include "core/record/status.hpp"
#include "reports/expected/expected_blocks.hpp"
#include "reports/expected/protocols.hpp"

namespace busbar::expected::test {
namespace {

double factor_of(const std::string& collective, int n) {
  if (collective == "broadcast" || collective == "reduce" || collective == "sendrecv") return 1;
  return (collective == "allreduce" ? 2.0 : 1.0) * (n - 1) / n;
}

/// A case of NCCL with this busbw.
CaseRecord measured(const std::string& collective, int nodes, int per_node, double busbw_GBps = 10,
                    const std::string& algorithm = "") {
  const int n = nodes * per_node;
  CaseRecord c{.key = {.collective = collective,
                       .backend = "nccl",
                       .memory = "device",
                       .bytes = 1 << 20,
                       .ranks = n,
                       .nodes = nodes,
                       .ranks_per_node = per_node}};
  if (!algorithm.empty()) c.choice = LibraryChoice{.algorithm = algorithm, .protocol = "simple", .channels = {}};
  c.busbw_GBps = busbw_GBps;
  c.bus_factor = factor_of(collective, n);
  return c;
}

RunRecord run_of(const CaseRecord& c) {
  RunRecord run;
  run.ranks = c.key.ranks;
  for (int node = 0; node < c.key.nodes.value_or(0); ++node) {
    run.hosts.push_back({.name = "node" + std::to_string(node)});
    for (int r = 0; r < c.key.ranks_per_node.value_or(0); ++r)
      run.placement.push_back({.rank = static_cast<int>(run.placement.size()),
                               .host = run.hosts.back().name,
                               .device_bus = "0000:0" + std::to_string(r) + ":00.0"});
  }
  return run;
}

/// GPUs for the ranks of each host, with `word` between each two.
RunRecord with_gpus(const CaseRecord& c, const Gpu& like, const std::string& word) {
  RunRecord run = run_of(c);
  const auto n = static_cast<std::size_t>(c.key.ranks_per_node.value());
  for (Host& h : run.hosts) {
    h.gpus.assign(n, like);
    h.gpu_links = GpuLinks{.columns = std::vector<std::string>(n, "GPU"), .rows = {}};
    for (std::size_t i = 0; i < n; ++i) {
      h.gpus[i].bus = "00000000:0" + std::to_string(i) + ":00.0";
      h.gpu_links->rows.emplace_back(n, word);
      h.gpu_links->rows[i][i] = "X";
    }
  }
  return run;
}

const Gpu h100{.name = "H100",
               .pcie_gen = 1,
               .pcie_width = 16,
               .pcie_gen_max = 5,
               .pcie_width_max = 16,
               .nvlinks = 18,
               .nvlink_version = "4.0"};

ExpectedPoint expected_of(const RunRecord& run, const CaseRecord& c, const char* line_rate = nullptr) {
  static std::deque<std::vector<Run>> kept;  // points refer to their runs
  const auto& runs = kept.emplace_back(1, Run{.path = "a.jsonl", .head = run, .cases = {c}});
  auto all = expect(runs, line_rate ? std::optional(parse_line_rate(line_rate)) : std::nullopt);
  return all.at(0).points.at(0);
}

/// The network's ceiling at 25 GB/s out of a node.
double network(const CaseRecord& c) {
  const ExpectedPoint p = expected_of(run_of(c), c, "200Gb/s");
  return p.ceiling() ? p.ceiling()->busbw_GBps : 0;
}

std::string why(const ExpectedPoint& p, const std::string& what) {
  for (const Missing& m : p.missing)
    if (m.what == what) return m.why;
  return "";
}

TEST(LineRate, IsReadInBitsAndBytes) {
  for (const char* text : {"200Gb/s", "200Gbps", "200gbps", "200Gbit/s", "200GbE", "200gbe", "25GB/s", "25GBps",
                           "25 GB/s", "2x100Gb/s", "8x25gbe", "0.5x50GB/s"})
    EXPECT_DOUBLE_EQ(parse_line_rate(text).GBps, 25) << text;
  EXPECT_EQ(meaning(parse_line_rate("2x100Gb/s")),
            "2x100Gb/s given: 25 GB/s out of each node and 25 GB/s into it, summed over its NICs");
}

TEST(LineRate, RefusesOtherTexts) {
  for (const char* text : {"", "200", "Gb/s", "200gb/s", "200Gb", "-1Gb/s", "0Gb/s", "nanGb/s", "infGb/s", "1e400Gb/s",
                           "2xGb/s", "x200Gb/s", "2x3x4Gb/s", "200Gb/s ", "1e3Gb/s", "99999999Gb/s"})
    EXPECT_THROW((void)parse_line_rate(text), UsageError) << text;
}

TEST(Protocols, TcpSubtractsHeaders) {
  EXPECT_NEAR(tcp(1, 1500, "Ethernet framing").GBps, 0.125 * 1448 / 1538, 1e-12);  // the 941 Mbit/s of Gigabit Ethernet
  EXPECT_NEAR(tcp(100, 9000, "Ethernet framing").GBps, 12.5 * 8948 / 9038, 1e-12);
  EXPECT_EQ(
      tcp(1, 1500, "Ethernet framing").overhead,
      "5.9 % deducted: Ethernet framing (38 B per packet), IPv4 and TCP headers with timestamps (52 B), MTU 1500");
  for (const auto mtu : {std::optional<int>(), std::optional(0), std::optional(-5), std::optional(60)})
    EXPECT_EQ(tcp(100, mtu, "Ethernet framing").GBps, 12.5);
}

TEST(Protocols, InfiniBandQuotesDataRatesFromEdrOn) {
  constexpr double packet = 4096.0 / 4122;
  EXPECT_NEAR(infiniband(200).GBps, 25 * packet, 1e-12);
  EXPECT_NEAR(infiniband(25).GBps, 3.125 * packet, 1e-12);
  EXPECT_NEAR(infiniband(56).GBps, 4 * 14.0625 * 64 / 66 / 8 * packet, 1e-12);
  EXPECT_NEAR(infiniband(5).GBps, 0.5 * packet, 1e-12);
  EXPECT_NEAR(infiniband(40).GBps, 5 * packet, 1e-12);  // QDR or FDR10
}

TEST(Protocols, RoceUsesTheLargestFittingInfiniBandMtu) {
  EXPECT_NEAR(roce(100, 1500).GBps, 12.5 * 1024 / 1106, 1e-12);
  EXPECT_NEAR(roce(100, 4191).GBps, 12.5 * 2048 / 2130, 1e-12);
  EXPECT_NEAR(roce(100, 4192).GBps, 12.5 * 4096 / 4178, 1e-12);
  EXPECT_NEAR(roce(100, std::nullopt).GBps, 12.5 * 4096 / 4178, 1e-12);
}

TEST(Protocols, PcieSubtractsEncodingAndPacketHeaders) {
  EXPECT_NEAR(pcie(4, 16).value().GBps, 32 * 128.0 / 130 * 256 / 280, 1e-12);
  EXPECT_NEAR(pcie(1, 1).value().GBps, 0.25 * 256 / 280, 1e-12);
  EXPECT_NEAR(pcie(6, 16).value().GBps, 128 * 236.0 / 256 * 256 / 272, 1e-12);
  EXPECT_FALSE(pcie(0, 16) || pcie(7, 16) || pcie(4, 0) || pcie(4, 64));
}

TEST(Protocols, NvlinkHasOneRatePerVersion) {
  EXPECT_EQ(nvlink_GBps("1.0"), 20);
  EXPECT_EQ(nvlink_GBps("4.0"), 25);
  EXPECT_EQ(nvlink_GBps("5.0"), 50);
  EXPECT_FALSE(nvlink_GBps("3.1") || nvlink_GBps("6.0") || nvlink_GBps(""));
}

TEST(Network, LimitsAFlatRingByTheRateOfANode) {
  for (const char* collective : {"allreduce", "allgather", "reduce_scatter", "broadcast", "reduce"})
    for (const auto& [nodes, per_node] : {std::pair(2, 1), std::pair(2, 8), std::pair(8, 4)})
      EXPECT_DOUBLE_EQ(network(measured(collective, nodes, per_node)), 25) << collective << nodes << per_node;
}

TEST(Network, ScalesByTheTrafficOfTheAlgorithm) {
  const auto of = [](const char* algorithm, int nodes, int per_node, const char* collective = "allreduce") {
    return network(measured(collective, nodes, per_node, 10, algorithm));
  };
  EXPECT_DOUBLE_EQ(of("ring", 2, 8), 25);
  EXPECT_DOUBLE_EQ(of("tree", 2, 8), 25 * 1.875);  // a node sends the size once
  EXPECT_DOUBLE_EQ(of("tree", 3, 1), 25 * (4.0 / 3) / 1.5);
  EXPECT_DOUBLE_EQ(of("tree", 4, 8), 25 * (62.0 / 32) / 2);  // twice
  EXPECT_DOUBLE_EQ(of("tree", 64, 8), 25 * (1022.0 / 512) / 2);
  EXPECT_DOUBLE_EQ(of("nvls_tree", 2, 8), 25 * 1.875);
  EXPECT_DOUBLE_EQ(of("NVLSTree", 2, 8), 25 * 1.875);
  EXPECT_DOUBLE_EQ(of("collnet_direct", 4, 8), 25 * 62.0 / 32);  // switches reduce
  EXPECT_DOUBLE_EQ(of("collnet_chain", 4, 8), 25 * 62.0 / 32);
  EXPECT_DOUBLE_EQ(of("nvls", 4, 8), 25 * 62.0 / 32);
  EXPECT_DOUBLE_EQ(of("pat", 4, 1, "allgather"), 25);
}

TEST(Network, LimitsPointToPointByTheShareLeavingTheNode) {
  EXPECT_DOUBLE_EQ(network(measured("alltoall", 2, 4)), 25 * 7.0 / 16);  // 4 ranks x 4/8; factor 7/8
  EXPECT_DOUBLE_EQ(network(measured("alltoall", 2, 1)), 25);
  EXPECT_DOUBLE_EQ(network(measured("gather", 2, 4)), 25 * 7.0 / 4);
  EXPECT_DOUBLE_EQ(network(measured("scatter", 2, 4)), 25 * 7.0 / 4);
  EXPECT_DOUBLE_EQ(network(measured("incast", 2, 4)), 25 * 7.0 / 4);
  const CaseRecord ring = measured("sendrecv", 2, 2);
  EXPECT_DOUBLE_EQ(network(ring), 25);
  RunRecord in_turns = run_of(ring);
  std::swap(in_turns.placement[1].host, in_turns.placement[2].host);  // all ranks have the next one elsewhere
  EXPECT_DOUBLE_EQ(expected_of(in_turns, ring, "25GB/s").ceiling()->busbw_GBps, 12.5);
}

TEST(Network, LimitsPairsByThoseThatLeaveTheNode) {
  const auto of_pairs = [](const char* name, int nodes, int per_node) {
    CaseRecord c = measured(name, nodes, per_node);
    c.key.kind = CaseKind::pair;
    c.bus_factor = 1;
    return network(c);
  };
  EXPECT_DOUBLE_EQ(of_pairs("unidirectional", 2, 1), 25);
  EXPECT_DOUBLE_EQ(of_pairs("put", 2, 4), 25.0 / 4);
  EXPECT_DOUBLE_EQ(of_pairs("bidirectional", 2, 4), 25.0 / 2) << "half of its messages go each way";
  EXPECT_DOUBLE_EQ(of_pairs("unidirectional", 3, 2), 25.0 / 2) << "of ranks 0 to 5, 0, 1 and 2 send to 3, 4 and 5";
}

TEST(Network, AddsActivePorts) {
  const CaseRecord c = measured("allreduce", 2, 8);
  RunRecord run = run_of(c);
  for (Host& h : run.hosts)
    h.rdma = {{.device = "mlx5_0", .link_layer = "InfiniBand", .state = "ACTIVE", .rate_Gbps = 200},
              {.device = "mlx5_1", .link_layer = "InfiniBand", .state = "ACTIVE", .rate_Gbps = 200},
              {.device = "mlx5_2", .link_layer = "InfiniBand", .state = "DOWN", .rate_Gbps = 2.5}};
  const Ceiling both = *expected_of(run, c).ceiling();
  EXPECT_NEAR(both.busbw_GBps, 50 * 4096.0 / 4122, 1e-9);
  EXPECT_EQ(both.source, "each node: 2 x 200 Gbit/s InfiniBand (mlx5_0, mlx5_1); 49.68 GB/s of data each way");
  EXPECT_FALSE(both.given_by_user);
  run.environment["NCCL_IB_HCA"] = "=mlx5_1:1";
  EXPECT_NEAR(expected_of(run, c).ceiling()->busbw_GBps, 25 * 4096.0 / 4122, 1e-9);
  run.environment["NCCL_IB_HCA"] = "^mlx5_1";
  EXPECT_NEAR(expected_of(run, c).ceiling()->busbw_GBps, 25 * 4096.0 / 4122, 1e-9);
  run.environment["NCCL_IB_HCA"] = "mlx5";
  run.hosts[1].rdma.pop_back();
  run.hosts[1].rdma.pop_back();
  const Ceiling slower = *expected_of(run, c).ceiling();
  EXPECT_NEAR(slower.busbw_GBps, 25 * 4096.0 / 4122, 1e-9);
  EXPECT_TRUE(slower.source.starts_with("node1: 1 x 200")) << slower.source;
  EXPECT_EQ(expected_of(run, c, "100Gb/s").ceiling()->busbw_GBps, 12.5);
  EXPECT_TRUE(expected_of(run, c, "100Gb/s").ceiling()->given_by_user);
}

TEST(Network, AddsActiveInterfacesWithoutRdma) {
  const CaseRecord c = measured("allreduce", 2, 1);
  RunRecord run = run_of(c);
  for (Host& h : run.hosts)
    h.interfaces = {
        {.name = "bond0", .kind = InterfaceKind::without_device, .state = "up", .speed_Gbps = 200, .mtu = 9000},
        {.name = "eth0", .kind = InterfaceKind::ethernet, .state = "up", .speed_Gbps = 100, .mtu = 9000},
        {.name = "eth1", .kind = InterfaceKind::ethernet, .state = "up", .speed_Gbps = 100, .mtu = 9000},
        {.name = "eth2", .kind = InterfaceKind::ethernet, .state = "down"}};
  EXPECT_NEAR(expected_of(run, c).ceiling()->busbw_GBps, 25 * 8948.0 / 9038, 1e-9);
  run.environment = {{"NCCL_SOCKET_IFNAME", "eth0"}};
  EXPECT_NEAR(expected_of(run, c).ceiling()->busbw_GBps, 12.5 * 8948.0 / 9038, 1e-9);
  run.environment = {{"NCCL_NET", "AWS Libfabric"}};
  EXPECT_NEAR(expected_of(run, c).ceiling()->busbw_GBps, 25, 1e-9);
  run.environment.clear();
  run.hosts[0].rdma =
      run.hosts[1].rdma = {{.device = "mlx5_0", .link_layer = "Ethernet", .state = "ACTIVE", .rate_Gbps = 100}};
  EXPECT_NEAR(expected_of(run, c).ceiling()->busbw_GBps, 12.5 * 4096 / 4178, 1e-9);
  run.environment = {{"NCCL_IB_DISABLE", "1"}};
  EXPECT_NEAR(expected_of(run, c).ceiling()->busbw_GBps, 25 * 8948.0 / 9038, 1e-9);
  run.environment.clear();
  run.hosts[1].rdma.clear();
  run.hosts[1].interfaces[2].speed_Gbps.reset();
  const ExpectedPoint p = expected_of(run, c);
  EXPECT_FALSE(p.ceiling());
  EXPECT_EQ(why(p, "network between nodes"),
            "node1: the driver of eth1 does not report its speed; give the rate with --line-rate");
}

TEST(Network, IsUnknownWithoutFacts) {
  CaseRecord c = measured("allreduce", 2, 8);
  EXPECT_FALSE(expected_of(run_of(c), c).ceiling());
  EXPECT_EQ(why(expected_of(run_of(c), c), "network between nodes"),
            "node0: the record lists no RDMA port or interface that is up; give the rate with --line-rate");
  c.key.nodes.reset();
  EXPECT_EQ(why(expected_of(run_of(c), c, "25GB/s"), "network between nodes"),
            "the record does not say how many nodes the ranks ran on");
  c = measured("alltoall", 2, 8);
  c.key.ranks_per_node.reset();
  EXPECT_FALSE(expected_of(run_of(c), c, "25GB/s").ceiling());
  c = measured("hypercube", 2, 8);
  EXPECT_EQ(why(expected_of(run_of(c), c, "25GB/s"), "network between nodes"), "no model of what hypercube sends");
  c = measured("allreduce", 2, 8);
  c.key.group = "0";
  EXPECT_FALSE(expected_of(run_of(c), c, "25GB/s").ceiling());
  c = measured("allreduce", 2, 8);
  RunRecord of_one_rank = run_of(c);
  of_one_rank.method.size_rule = "per_rank";
  EXPECT_TRUE(expected_of(of_one_rank, c, "25GB/s").ceiling()) << "both buffers have one size";
  c = measured("allgather", 2, 8);
  EXPECT_EQ(why(expected_of(of_one_rank, c, "25GB/s"), "network between nodes"),
            "unknown whether sizes are per rank or in total (size_rule per_rank)");
  c = measured("allreduce", 1, 8);
  EXPECT_FALSE(expected_of(run_of(c), c, "25GB/s").ceiling()) << "one node has no network to pass";
}

TEST(Nvlink, MultipliesLinksByTheRateOfTheirVersion) {
  const auto of = [](const char* algorithm, const char* collective = "allreduce") {
    const CaseRecord c = measured(collective, 1, 8, 10, algorithm);
    return expected_of(with_gpus(c, h100, "NV18"), c).ceiling()->busbw_GBps;
  };
  EXPECT_DOUBLE_EQ(of(""), 450);
  EXPECT_DOUBLE_EQ(of("ring"), 450);
  EXPECT_DOUBLE_EQ(of("nvls"), 450 * 1.75 / 1.125);  // 700: why 480 is no wonder
  EXPECT_DOUBLE_EQ(of("tree"), 450 * 1.75 / 2);
  EXPECT_DOUBLE_EQ(of("nvls", "allgather"), 450 * 0.875);
  EXPECT_DOUBLE_EQ(of("", "alltoall"), 450);
}

TEST(Nvlink, CountsLinksBetweenGpusOfRanks) {
  const CaseRecord c = measured("allreduce", 1, 2);
  EXPECT_DOUBLE_EQ(expected_of(with_gpus(c, h100, "NV4"), c).ceiling()->busbw_GBps, 100);
}

TEST(Nvlink, IsUnknownWithoutFacts) {
  const CaseRecord c = measured("allreduce", 1, 4);
  const auto reason = [&](const Gpu& gpu, const std::string& word) {
    const ExpectedPoint p = expected_of(with_gpus(c, gpu, word), c);
    EXPECT_FALSE(p.ceiling());
    return why(p, "links between GPUs of a node");
  };
  Gpu odd = h100;
  odd.nvlink_version = "3.1";
  EXPECT_EQ(reason(odd, "NV18"), "node0 GPU0: the rate of NVLink 3.1 is unknown");
  odd.nvlink_version.reset();
  EXPECT_EQ(reason(odd, "NV18"), "node0 GPU0: its NVLink version is unknown");
  RunRecord unmatched = with_gpus(c, h100, "NV18");
  unmatched.placement[1].device_bus = "0000:ff:00.0";
  EXPECT_EQ(why(expected_of(unmatched, c), "links between GPUs of a node"),
            "node0: the record does not say which GPUs its ranks used");
  RunRecord in_part = with_gpus(c, h100, "NV1");
  in_part.hosts[0].gpu_links->rows[0][3] = in_part.hosts[0].gpu_links->rows[3][0] = "PIX";
  EXPECT_EQ(why(expected_of(in_part, c), "links between GPUs of a node"),
            "node0: NVLinks connect only some pairs of its GPUs");
  RunRecord blank = with_gpus(c, h100, "NV1");
  blank.hosts[0].gpu_links->rows[0][3].reset();
  EXPECT_EQ(why(expected_of(blank, c), "links between GPUs of a node"),
            "node0: the record does not say how its GPUs are connected");
  RunRecord shared = with_gpus(c, h100, "NV18");
  shared.method.shared_gpu = true;
  EXPECT_EQ(why(expected_of(shared, c), "links between GPUs of a node"), "ranks shared a GPU");
}

TEST(Pcie, UsesTheHighestGenerationAndTheNegotiatedWidth) {
  const CaseRecord c = measured("allreduce", 1, 4);
  RunRecord run = with_gpus(c, h100, "PHB");
  run.hosts[0].gpus[2].pcie_width = 8;
  const Ceiling least = *expected_of(run, c).ceiling();
  EXPECT_EQ(least.what, "PCIe between GPUs of a node");
  EXPECT_NEAR(least.busbw_GBps, 32 * 128.0 / 130 * 256 / 280, 1e-9);  // 5 x8
  EXPECT_TRUE(least.source.starts_with("node0 GPU2: PCIe 5 x8 (maximum generation; 1 when read")) << least.source;
  run.hosts[0].gpus[2].pcie_gen_max.reset();
  EXPECT_EQ(why(expected_of(run, c), "PCIe between GPUs of a node"),
            "node0 GPU2: its PCIe generation or width is unknown");
}

TEST(Pcie, LimitsGpusWithoutFullNvlink) {
  const CaseRecord c = measured("allreduce", 1, 4);
  RunRecord bridged = with_gpus(c, h100, "SYS");
  auto& rows = bridged.hosts[0].gpu_links->rows;
  rows[0][1] = rows[1][0] = rows[2][3] = rows[3][2] = "NV4";
  EXPECT_EQ(expected_of(bridged, c).ceiling()->what, "PCIe between GPUs of a node");
  RunRecord disabled = with_gpus(c, h100, "NV18");
  disabled.environment = {{"NCCL_P2P_DISABLE", "1"}};
  EXPECT_EQ(expected_of(disabled, c).ceiling()->what, "PCIe between GPUs of a node");
  EXPECT_EQ(expected_of(with_gpus(c, h100, "NV18"), c).ceilings.size(), 1U);
}

TEST(Pcie, AddsTheLinksOfAllGpusToTheNetwork) {
  const CaseRecord c = measured("allreduce", 2, 4);
  const ExpectedPoint p = expected_of(with_gpus(c, h100, "NV18"), c, "100GB/s");
  ASSERT_EQ(p.ceilings.size(), 3U);
  EXPECT_EQ(p.ceilings[0].what, "network between nodes");
  EXPECT_EQ(p.ceilings[1].what, "PCIe between GPUs and the network");
  EXPECT_NEAR(p.ceilings[1].busbw_GBps, 4 * 64 * 128.0 / 130 * 256 / 280, 1e-9);
  EXPECT_EQ(p.ceilings[2].what, "NVLinks between GPUs of a node");
  const CaseRecord alone = measured("allreduce", 2, 1);
  const ExpectedPoint slow = expected_of(with_gpus(alone, h100, "X"), alone, "100GB/s");
  EXPECT_EQ(slow.ceiling()->what, "PCIe between GPUs and the network");
}

TEST(HostMemory, IsUnknown) {
  CaseRecord c = measured("allreduce", 1, 4);
  c.key.backend = "mpi";
  c.key.memory = "host";
  const ExpectedPoint p = expected_of(run_of(c), c);
  EXPECT_FALSE(p.ceiling());
  EXPECT_EQ(why(p, "host memory"), "records do not contain its bandwidth");
}

TEST(Wire, IsKnownForAKnownAlgorithm) {
  const auto of = [](const char* algorithm, int nodes) {
    const CaseRecord c = measured("allreduce", nodes, 8, 175, algorithm);
    return expected_of(run_of(c), c);
  };
  EXPECT_DOUBLE_EQ(of("ring", 1).rank_wire_GBps().value(), 175);
  EXPECT_FALSE(of("ring", 1).node_wire_GBps());
  EXPECT_DOUBLE_EQ(of("nvls", 1).rank_wire_GBps().value(), 112.5);
  EXPECT_DOUBLE_EQ(of("tree", 2).node_wire_GBps().value(), 175 / 1.875);
  EXPECT_FALSE(of("", 2).node_wire_GBps() || of("", 2).rank_wire_GBps());
  EXPECT_FALSE(of("something_new", 2).node_wire_GBps());
  EXPECT_EQ(of("something_new", 2).traffic.algorithm, "flat ring (not something_new)");
  CaseRecord told = measured("allreduce", 2, 8, 175);
  told.key.algorithm = "ring/simple";
  EXPECT_DOUBLE_EQ(expected_of(run_of(told), told).node_wire_GBps().value(), 175);
  told.key.algorithm = "*/ll128";
  EXPECT_FALSE(expected_of(run_of(told), told).node_wire_GBps());
  CaseRecord mpi = measured("alltoall", 2, 8);
  EXPECT_TRUE(expected_of(run_of(mpi), mpi).node_wire_GBps());
  mpi.key.backend = "mpi";
  EXPECT_FALSE(expected_of(run_of(mpi), mpi).node_wire_GBps()) << "a library may do it in other ways";
}

TEST(Above, NamesPossibleReasons) {
  const auto of = [](const char* algorithm, double busbw, const char* collective = "allreduce", int nodes = 2) {
    const CaseRecord c = measured(collective, nodes, 4, busbw, algorithm);
    return expected_of(run_of(c), c, "25GB/s").why_above();
  };
  EXPECT_EQ(of("", 25), "");
  EXPECT_NE(of("", 36).find("does not say which algorithm ran"), std::string::npos);
  EXPECT_TRUE(of("ring", 36).starts_with("either ring sends less")) << of("ring", 36);
  EXPECT_EQ(of("tree", 36), "");
  EXPECT_TRUE(
      of("", 36, "allgather", 8).starts_with("no algorithm sends that little data, so the given rate is too low"));
  EXPECT_TRUE(of("", 45).starts_with("no algorithm")) << "SHARP ends at 25 x 1.75";
  EXPECT_NEAR(expected_of(run_of(measured("allreduce", 2, 4, 36)), measured("allreduce", 2, 4, 36), "25GB/s")
                  .achieved()
                  .value(),
              1.44, 1e-12);
}

TEST(Expected, SkipsCasesWithoutBusbw) {
  busbar::Run run{.head = run_of(measured("allreduce", 2, 4)), .cases = {}};
  CaseRecord failed = measured("allreduce", 2, 4), alone = measured("broadcast", 1, 1),
             empty = measured("allreduce", 2, 4), none = measured("barrier", 2, 4);
  failed.status = Status::failed;
  empty.key.bytes = 0;
  none.busbw_GBps.reset();
  none.bus_factor.reset();
  run.cases = {failed, alone, empty, none};
  EXPECT_TRUE(expect({run}, std::nullopt).empty());
}

TEST(Expected, IsWrittenAsBlocksAndJson) {
  const std::vector<busbar::Run> runs{
      {.path = "a.jsonl", .head = run_of(measured("allreduce", 2, 4)), .cases = {measured("allreduce", 2, 4, 36)}}};
  const auto known = expect(runs, parse_line_rate("25GB/s"));
  const auto blocks = blocks_of(known);
  ASSERT_EQ(blocks.size(), 4U);  // introduction, head, table, mark
  EXPECT_EQ(std::get<report::Table>(blocks[2]).rows,
            (std::vector<std::vector<std::string>>{{"1 MiB", "36.00", "25.00", "144.0 % *", "unknown", "unknown"}}));
  const auto unknown = blocks_of(expect(runs, std::nullopt));
  ASSERT_EQ(unknown.size(), 2U);
  EXPECT_EQ(std::get<report::KeyValues>(unknown[1]).title, "No ceiling: a");
  const nlohmann::json point = json_of(known).at("series").at(0).at("points").at(0);
  EXPECT_EQ(point.at("achieved"), 1.44);
  EXPECT_EQ(point.at("ceilings").at(0).at("busbw_GBps"), 25.0);
  EXPECT_TRUE(point.at("algorithm").is_null());
  EXPECT_TRUE(point.at("node_wire_GBps").is_null());
}

}  // namespace
}  // namespace busbar::expected::test
