// SPDX-License-Identifier: Apache-2.0
// Checks of busbar-preflight on made-up facts: hosts and GPUs that are not here.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <unistd.h>

#include "core/base/json.hpp"
#include "preflight/checks/check.hpp"
#include "preflight/contact/remote_shell.hpp"
#include "preflight/contact/tcp.hpp"
#include "preflight/facts/fields.hpp"
#include "preflight/report.hpp"

namespace busbar::preflight::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// `hosts` with `ranks_each`, all alike and well, each rank with a CPU and a GPU of its own.
Facts cluster(int hosts, int ranks_each) {
  Facts f;
  for (int h = 0; h < hosts; ++h) {
    const std::string name = "node" + std::to_string(h);
    HostFacts host{.host = {.name = name, .threads = 8, .virtualisation = "bare metal"},
                   .shm_bytes = 2ULL << 30,
                   .shm_free_bytes = 2ULL << 30,
                   .available_bytes = 64ULL << 30,
                   .usable_cpus = 8};
    for (int r = 0; r < ranks_each; ++r) {
      const std::string uuid = "GPU-" + std::to_string(h) + "-" + std::to_string(r);
      host.host.gpus.push_back(
          {.name = "H200", .bus = "0000:0" + std::to_string(r) + ":00.0", .uuid = uuid, .nvlinks = 18, .numa_node = 0});
      f.ranks.push_back({.id = {.rank = h * ranks_each + r,
                                .host = name,
                                .machine = "machine " + std::to_string(h),
                                .launched = hosts * ranks_each,
                                .world = hosts * ranks_each,
                                .interfaces = {"eth0", "lo"}},
                         .host = h,
                         .versions = {.build = "0.1.0 (abc)", .mpi = "Open MPI 4.1.4"},
                         .limits = {.memlock_bytes = std::nullopt, .open_files = 65536},
                         .place = {.cpus = {r}, .numa_nodes = {0}},
                         .gpu = {.uuid = uuid, .how = "CUDA driver"}});
    }
    f.hosts.push_back(host);
    f.networks.push_back(
        {.addresses = {{.interface = "eth0", .address = "10.0.0." + std::to_string(h + 1), .port = 1}}});
    f.connections.push_back({.host = h});
  }
  return f;
}

std::vector<CheckResult> findings_of(std::string_view check, const Facts& f) { return try_find<Check>(check)->find(f); }

/// The worst finding's words and state: "failed: ...".
std::string worst_of(std::string_view check, const Facts& f) {
  const auto findings = findings_of(check, f);
  const State state = worst(findings);
  for (const CheckResult& one : findings)
    if (one.state == state) return std::string(name(state)) + ": " + one.read;
  return "no finding";
}

TEST(Checks, FindNothingInAHealthyCluster) {
  const Facts f = cluster(2, 4);
  for (const Check* check : table<Check>()) {
    const auto findings = check->find(f);
    ASSERT_FALSE(findings.empty()) << check->name;
    EXPECT_LT(worst(findings), State::warning) << check->name << ": " << findings.front().read;
  }
}

TEST(Checks, HaveDescriptions) {
  for (const Check* check : table<Check>())
    for (const std::string_view words : {check->about, check->expected, check->why, check->advice}) {
      EXPECT_FALSE(words.empty()) << check->name;
      EXPECT_EQ(words.find("  "), std::string_view::npos) << check->name << ": " << words;
    }
}

TEST(Checks, FindTwoBuilds) {
  Facts f = cluster(2, 2);
  f.ranks[3].versions.build = "0.1.0 (def)";
  EXPECT_EQ(worst_of("build", f),
            "failed: build differs: ranks 0, 1, 2 (node0, node1): 0.1.0 (abc); rank 3 (node1): 0.1.0 (def)");
  EXPECT_THAT(findings_of("build", f).front().ranks, ElementsAre(3));
  EXPECT_THAT(findings_of("build", f).front().hosts, ElementsAre("node1"));
}

TEST(Checks, FindJobsOfOneRankEach) {
  Facts f = cluster(1, 1);
  f.ranks[0].id.launched = 8;
  EXPECT_THAT(worst_of("one_job", f), HasSubstr("failed: the launcher started 8 processes, MPI sees 1 rank"));
  f.ranks[0].id.launched.reset();
  EXPECT_THAT(worst_of("one_job", f), HasSubstr("not applicable: "));
}

TEST(Checks, FindMissingInterfacesInSettings) {
  Facts f = cluster(2, 1);
  const auto with = [&](const char* variable, const char* value) {
    f.ranks[1].id.environment = {{variable, value}};
    return worst_of("interface_settings", f);
  };
  EXPECT_EQ(with("OMPI_MCA_btl_tcp_if_include", "eth0,ib0"),
            "failed: rank 1 (node1): OMPI_MCA_btl_tcp_if_include names ib0, which does not exist here; "
            "available: eth0");
  EXPECT_THAT(with("OMPI_MCA_btl_tcp_if_include", "10.0.0.0/16"), HasSubstr("ok: "));
  EXPECT_THAT(with("NCCL_SOCKET_IFNAME", "eth"), HasSubstr("ok: "));
  EXPECT_THAT(with("NCCL_SOCKET_IFNAME", "=eth"), HasSubstr("failed: "));
  EXPECT_THAT(with("NCCL_SOCKET_IFNAME", "ib,eth"), HasSubstr("ok: "));
  EXPECT_THAT(with("NCCL_SOCKET_IFNAME", "^docker"), HasSubstr("ok: "));
}

TEST(Checks, FindSharedAndDoubleHostNames) {
  Facts f = cluster(2, 2);
  f.hosts[1].host.name = "node0";
  f.ranks[2].id.host = f.ranks[3].id.host = "node0";
  EXPECT_EQ(worst_of("host_names", f),
            "failed: 2 hosts share the name node0: ranks 0, 2 (node0) are on different hosts");
  f = cluster(2, 1);
  f.ranks[1].id.machine = f.ranks[0].id.machine;
  EXPECT_THAT(worst_of("host_names", f), HasSubstr("warning: node0, node1 run under one kernel"));
}

TEST(Checks, FindClocksApart) {
  Facts f = cluster(2, 1);
  f.hosts[1].clock_offset_s = -3600;
  f.hosts[1].clock_error_s = 0.001;
  EXPECT_EQ(worst_of("clocks", f), "warning: node1 is 3600.000 s behind node0 (+- 0.001 s)");
  f.hosts[1].clock_offset_s = 0.7;
  f.hosts[1].clock_error_s = 0.4;
  EXPECT_THAT(worst_of("clocks", f), HasSubstr("ok: "));
}

TEST(Checks, FindMemoryLockLimitsWithRdma) {
  Facts f = cluster(2, 1);
  f.ranks[1].limits.memlock_bytes = 8 << 20;
  EXPECT_THAT(worst_of("memory_lock", f), HasSubstr("ok: "));
  f.hosts[1].host.rdma = {{.device = "mlx5_0", .state = "ACTIVE"}};
  EXPECT_EQ(worst_of("memory_lock", f), "failed: rank 1 (node1): 8 MiB; its host has RDMA devices");
}

TEST(Checks, FindSmallSharedMemory) {
  Facts f = cluster(2, 8);
  f.hosts[1].shm_bytes = f.hosts[1].shm_free_bytes = 64 << 20;  // docker's own
  EXPECT_EQ(worst_of("shared_memory", f), "failed: node1: 64 MiB free of 64 MiB, for 8 ranks");
  f.hosts[1].shm_bytes = f.hosts[1].shm_free_bytes = 512 << 20;
  EXPECT_EQ(worst_of("shared_memory", f), "warning: node1: 512 MiB free of 512 MiB, with 8 GPUs");
}

TEST(Checks, Bindings) {
  Facts f = cluster(1, 2);
  f.ranks[1].place.cpus = {0};
  EXPECT_EQ(worst_of("same_cpu", f), "failed: ranks 0, 1 (node0) are bound to CPU 0");
  f.ranks[0].place.cpus = f.ranks[1].place.cpus = {0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_THAT(worst_of("same_cpu", f), HasSubstr("ok: "));
  EXPECT_EQ(worst_of("unbound", f), "warning: ranks 0, 1 (node0): may run on all 8 CPUs");
  f.hosts[0].usable_cpus = 1;
  EXPECT_EQ(worst_of("cpus_enough", f), "failed: node0: 2 ranks on 1 CPU");
}

TEST(Checks, AcceptSharedCpusInALab) {
  Facts f = cluster(2, 4);
  f.hosts[1].usable_cpus = 2;
  EXPECT_THAT(worst_of("cpus_enough", f), HasSubstr("failed: node1: 4 ranks on 2 CPUs"));
  f.hosts[1].host.lab = "1 of 2 hosts on one machine, link rate 1gbit";
  EXPECT_THAT(worst_of("cpus_enough", f), HasSubstr("warning: node1: 4 ranks on 2 CPUs (1 of 2 hosts on one machine"));
}

TEST(Checks, FindGpusPassedThroughOnSomeHostsOnly) {
  Facts f = cluster(2, 2);
  for (HostFacts& h : f.hosts)
    for (Gpu& gpu : h.host.gpus) gpu.virtualisation = "passthrough";
  EXPECT_THAT(worst_of("virtualisation", f), HasSubstr("bare metal; GPUs: passthrough"));
  f.hosts[1].host.gpus[1].virtualisation = "vGPU";
  EXPECT_THAT(worst_of("virtualisation", f), HasSubstr("warning: "));
}

TEST(Checks, TryNcclWhereAllRanksCan) {
  Facts f = cluster(1, 4);
  f.ranks[0].nccl_pairs = {{.a = 0, .b = 1, .problem = std::nullopt}};
  EXPECT_THAT(worst_of("nccl_messages", f), HasSubstr("ok: 1 pair"));
  f.ranks[2].nccl_pairs = {{.a = 2, .b = 3, .problem = "not done after 3 s"}};
  EXPECT_THAT(worst_of("nccl_messages", f), HasSubstr("failed: ranks 2, 3 (node0): not done after 3 s"));
  f.ranks[1].nccl_missing = "no NVIDIA GPU can be used here";
  EXPECT_THAT(worst_of("nccl_allreduce", f), HasSubstr("unknown: rank 1 (node0): no NVIDIA GPU can be used here"));
  for (RankFacts& r : f.ranks) r.nccl_missing = "this build has no part for it";
  EXPECT_THAT(worst_of("nccl_allreduce", f), HasSubstr("not applicable: this build has no part for it"));
}

TEST(Checks, FindAContainersQuota) {
  Facts f = cluster(2, 1);
  f.hosts[1].host.cpu_quota = 2.5;
  f.hosts[1].host.container = "docker";
  EXPECT_THAT(worst_of("container_limits", f), HasSubstr("warning: node1: in docker; CPU quota: 2.5 of 8 CPUs"));
}

TEST(Checks, FindRanksWithoutTheirOwnGpu) {
  Facts f = cluster(1, 2);
  f.ranks[1].gpu.uuid = f.ranks[0].gpu.uuid;
  EXPECT_EQ(worst_of("gpu_of_rank", f), "failed: ranks 0, 1 (node0) share one GPU: GPU-0-0 (source: CUDA driver)");
  f.ranks[1].gpu = {.problem = "CUDA reports no GPU for this rank"};
  EXPECT_EQ(worst_of("gpu_of_rank", f), "failed: rank 1 (node0) has no GPU: CUDA reports no GPU for this rank");
  f = cluster(1, 2);
  f.hosts[0].host.gpus[1].numa_node = 1;
  EXPECT_EQ(worst_of("near_gpu", f), "warning: rank 1 (node0) runs on NUMA node 0; its GPU 0000:01:00.0 is on node 1");
  for (HostFacts& h : f.hosts) h.host.gpus.clear();
  EXPECT_THAT(worst_of("gpu_of_rank", f), HasSubstr("not applicable: "));
}

TEST(Checks, FindOddGpuModes) {
  Facts f = cluster(2, 2);
  f.hosts[1].host.gpus[0].persistence = false;
  f.hosts[1].host.gpus[0].mig = true;
  EXPECT_EQ(worst_of("gpu_modes", f), "warning: node1, GPU 0000:00:00.0: MIG on, persistence off");
  f.hosts[1].host.gpus[1].nvlinks = 17;
  EXPECT_EQ(worst_of("nvlink", f), "failed: node1, GPU 0000:01:00.0: 17 NVLinks up; others of this model have 18");
  f.ranks[2].gpu.throttled_by = {"hw_thermal_slowdown"};
  EXPECT_EQ(worst_of("gpu_clocks", f), "warning: rank 2 (node1): hw_thermal_slowdown");
  f.ranks[3].gpu.no_peer_access = {0};
  EXPECT_EQ(worst_of("peer_access", f), "warning: rank 3 (node1): no peer access to GPU 0");
  f.hosts[1].host.gpus[0].acs_redirect = true;
  EXPECT_EQ(worst_of("pci_isolation", f), "warning: node1: ACS redirects above GPU 0000:00:00.0");
}

TEST(Checks, GpusAndRdmaDevices) {
  Facts f = cluster(1, 2);
  f.hosts[0].host.rdma = {{.device = "mlx5_0", .state = "ACTIVE", .rate_Gbps = 400}};
  f.hosts[0].host.gpu_links =
      GpuLinks{.columns = {"GPU0", "GPU1", "mlx5_0"}, .rows = {{"X", "NV18", "PIX"}, {"NV18", "X", "SYS"}}};
  EXPECT_EQ(worst_of("gpu_to_nic", f), "warning: node0, GPU1: SYS to its nearest RDMA device");
  f.ranks[0].gpu.dma_buf = f.ranks[1].gpu.dma_buf = false;
  EXPECT_THAT(worst_of("gpu_direct", f), HasSubstr("warning: ranks 0, 1 (node0): neither"));
  f.hosts[0].gpu_peer_memory = true;
  EXPECT_THAT(worst_of("gpu_direct", f), HasSubstr("ok: "));
}

TEST(Checks, RdmaPorts) {
  Facts f = cluster(2, 1);
  for (std::size_t h : {0U, 1U}) {
    f.hosts[h].host.rdma = {{.device = "mlx5_0", .link_layer = "Ethernet", .state = "ACTIVE", .rate_Gbps = 200}};
    f.networks[h].rdma = {{.device = "mlx5_0", .port = 1, .interfaces = {"eth2"}, .gids = 4}};
  }
  EXPECT_EQ(worst_of("rdma_ports", f), "ok: same active RDMA port set everywhere: 1 at 200 Gb/s");
  f.networks[1].rdma[0].gids = 0;
  EXPECT_EQ(worst_of("rdma_ports", f), "warning: node1, mlx5_0 port 1 (eth2): ACTIVE, 200 Gb/s, Ethernet; no GID");
  f.hosts[1].host.rdma[0].rate_Gbps = 100;
  EXPECT_EQ(worst_of("rdma_ports", f),
            "failed: active RDMA port set differs: node0: 1 at 200 Gb/s; node1: 1 at 100 Gb/s");
}

TEST(Checks, Tcp) {
  Facts f = cluster(3, 1);
  f.networks[2].addresses.push_back({.interface = "eth1", .address = "10.1.0.3", .port = 1});
  f.connections[0].unreached = {
      {.from = 0, .to = 2, .interface = "eth1", .address = "10.1.0.3", .problem = "timed out"}};
  EXPECT_EQ(worst_of("tcp", f), "warning: node0 cannot reach node2 at 10.1.0.3 (eth1): timed out");
  f.connections[0].unreached.push_back(
      {.from = 0, .to = 2, .interface = "eth0", .address = "10.0.0.3", .problem = "timed out"});
  EXPECT_THAT(worst_of("tcp", f), HasSubstr("failed: node0 cannot reach node2"));
  f = cluster(2, 1);
  for (Network& n : f.networks) n.addresses.push_back({.interface = "docker0", .address = "172.17.0.1", .port = 1});
  EXPECT_THAT(worst_of("tcp", f), HasSubstr("warning: node0, node1 share the address 172.17.0.1 (docker0)"));
}

TEST(Checks, Messages) {
  Facts f = cluster(2, 1);
  f.ranks[0].pairs = {{.a = 0, .b = 1}};
  f.ranks[1].pairs = {{.a = 0, .b = 1, .problem = "1 MiB each way took longer than 3.0 s"}};
  EXPECT_EQ(worst_of("messages", f), "failed: ranks 0, 1 (node0, node1): 1 MiB each way took longer than 3.0 s");
}

TEST(Checks, CompareEnvironmentsWithoutLauncherVariables) {
  Facts f = cluster(2, 1);
  f.ranks[1].id.environment = {{"CUDA_VISIBLE_DEVICES", "1"}, {"OMPI_MCA_plm", "rsh"}};
  EXPECT_THAT(worst_of("environment", f), HasSubstr("ok: "));
  f.ranks[1].id.environment["NCCL_IB_HCA"] = "mlx5_0";
  EXPECT_EQ(worst_of("environment", f),
            "warning: NCCL_IB_HCA differs: rank 0 (node0): not set; rank 1 (node1): mlx5_0");
}

// Facts on their way

TEST(Facts, AreReadBackFromJson) {
  const HostFacts before = cluster(1, 2).hosts[0];
  const auto after = nlohmann::json::parse(nlohmann::json(before).dump()).get<HostFacts>();
  EXPECT_EQ(after.host.name, "node0");
  EXPECT_EQ(after.host.gpus.size(), 2U);
  EXPECT_EQ(after.shm_bytes, before.shm_bytes);
  EXPECT_EQ(after.huge_pages, std::nullopt);
}

TEST(Facts, AbbreviateManyRanks) {
  EXPECT_EQ(name_ranks(cluster(16, 1), {1, 2, 3, 4, 5, 6, 7, 8, 9}),
            "ranks 1, 2, 3, 4, 5, 6 and 3 more (node1, node2, node3, node4, node5, node6 and 3 more)");
}

// TCP

TEST(Tcp, TriesAllHosts) {
  for (const int hosts : {2, 3, 64, 65, 500}) {
    std::vector<int> tried(static_cast<std::size_t>(hosts));
    for (int h = 0; h < hosts; ++h)
      for (const int p : partners(h, hosts)) {
        EXPECT_NE(p, h);
        ++tried[static_cast<std::size_t>(p)];
      }
    EXPECT_GT(*std::ranges::min_element(tried), 0) << hosts;
    EXPECT_LE(*std::ranges::max_element(tried), 63) << hosts;
  }
}

TEST(Tcp, NamesAClosedPort) {
  const std::vector<Target> targets{{.host = 1, .address = {.interface = "lo", .address = "127.0.0.1", .port = 1}}};
  const Connections c = connect_to(0, targets, 10);
  ASSERT_EQ(c.unreached.size(), 1U);
  EXPECT_EQ(c.unreached[0].problem, "Connection refused");
  EXPECT_EQ(c.made, 0);
}

// The remote shell

TEST(RemoteShell, ReadsAnswersOfHosts) {
  const std::string agent = testing::TempDir() + "busbar-remote-shell." + std::to_string(::getpid());
  std::ofstream(agent) << "case $1 in refusing) echo refused; exit 255 ;; silent) exec sleep 600 ;; esac\n";
  ::setenv("OMPI_MCA_plm_rsh_agent", ("sh " + agent).c_str(), 1);
  const auto answers = ask_hosts({"well", "refusing"}, "x", 60);
  const auto silent = ask_hosts({"silent"}, "x", 0.5);
  ::unsetenv("OMPI_MCA_plm_rsh_agent");
  std::filesystem::remove(agent);
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(answers[0].problem, std::nullopt);
  EXPECT_EQ(answers[1].problem, "exit code 255: refused");
  EXPECT_EQ(silent.at(0).problem, "no answer within 0.5 s");
}

TEST(RemoteShell, AcceptsOnlyHostNames) {
  ::setenv("OMPI_MCA_plm_rsh_agent", "echo", 1);
  for (const std::string host : {"$(touch x)", "a;b", "-oProxyCommand=x", "a b", "a\nb", "'", ""})
    EXPECT_THAT(ask_hosts({host}, "true", 5).front().problem,
                testing::Optional(HasSubstr("unsafe host name for a remote shell")))
        << host;
  EXPECT_EQ(ask_hosts({"node0.lab-1_x"}, "true", 5).front().output, "node0.lab-1_x true\n");
  ::unsetenv("OMPI_MCA_plm_rsh_agent");
}

TEST(RemoteShell, NeverPromptsInSsh) {
  EXPECT_THAT(find_remote_shell(7), ElementsAre("ssh", "-x", "-o", "BatchMode=yes", "-o", "ConnectTimeout=7"));
}

// Output

TEST(Report, ShowsAFailureAsText) {
  Facts f = cluster(2, 1);
  f.ranks[1].versions.mpi = "Open MPI 5.0.0";
  const Check& check = *try_find<Check>("mpi_library");
  const std::string text = text_of(outcome(check, check.find(f)));
  EXPECT_THAT(text, HasSubstr("same     mpi_library         failed          MPI library differs: "));
  EXPECT_THAT(text, HasSubstr("\n         why:      "));
  EXPECT_EQ(text_of(end(Stage::same, Stage::same, 1, 0)),
            "# stage same failed: exit code 12; stages after same were skipped\n");
  EXPECT_THAT(text_of(begin(Stage::same)), IsEmpty());
}

}  // namespace
}  // namespace busbar::preflight::test
