// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <set>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/files/kernel_files.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "reports/explain/network.hpp"
#include "reports/explain/rule.hpp"
#include "reports/explain/words.hpp"
#include "reports/text/text.hpp"

/// Sources: NVIDIA NCCL, environment variables (NCCL_NET, NCCL_IB_DISABLE, NCCL_NET_PLUGIN); Open MPI, network support
/// and "InfiniBand / RoCE support" (UCX uses RDMA devices by default, as did ob1 with btl openib before 5.0; ob1 with
/// tcp does not); OpenUCX, UCX_TLS.
namespace busbar::explain {
namespace {

constexpr double little = 0.25;                                 ///< fraction of the RDMA ports' bandwidth
constexpr std::uint64_t large_bytes = std::uint64_t{16} << 20;  ///< bandwidth-bound from this size on

/// Evidence that sockets were used, and its certainty.
struct Sign {
  Certainty certainty;
  std::string sentence;
};
using Signs = std::vector<Sign>;

/// A setting as the user wrote it, e.g. "NCCL_NET=Socket".
std::string setting(const Run& run, const std::string& name) {
  return fmt::format("{}={}", name, report::shortened(run.head.environment.at(name)));
}

/// Intra-host transports: with these and "tcp", only TCP remains between nodes.
constexpr std::array<std::string_view, 4> inside_a_host{"self", "vader", "sm", "smcuda"};
constexpr std::array<std::string_view, 13> inside_a_host_ucx{
    "self", "sm", "shm", "mm", "posix", "sysv", "cma", "knem", "xpmem", "cuda", "cuda_copy", "cuda_ipc", "gdr_copy"};

/// True if a list such as "tcp,self" names TCP and otherwise only members of `others`. False for unknown words and for
/// exclusions ("^tcp"), which may allow other transports.
bool only_tcp(const std::string& list, std::span<const std::string_view> others) {
  const auto parts = facts::split(list, ',');
  bool tcp = false;
  for (const std::string_view part : parts) {
    const auto word = facts::trimmed(part);
    if (word != "tcp" && std::ranges::find(others, word) == others.end()) return false;
    tcp = tcp || word == "tcp";
  }
  return tcp;
}

void advice_for_nccl(const Run& run, Signs& signs) {
  const auto net = variable(run, "NCCL_NET");
  if (net == "socket")
    signs.push_back({Certainty::known, setting(run, "NCCL_NET") + ": this forces NCCL to use sockets."});
  const bool plugin = (net && *net != "socket" && *net != "ib") || variable(run, "FI_PROVIDER") ||
                      variable(run, "NCCL_NET_PLUGIN").value_or("none") != "none";
  if (variable(run, "NCCL_IB_DISABLE") == "1" && !plugin && net != "socket")
    signs.push_back(
        {Certainty::likely, setting(run, "NCCL_IB_DISABLE") +
                                ": this disables InfiniBand and RoCE in NCCL. The record names no plug-in for "
                                "another network, so NCCL can use only sockets."});
}

void advice_for_mpi(const Run& run, Signs& signs) {
  const std::string pml = variable(run, "OMPI_MCA_pml").value_or("");
  const std::string btl = variable(run, "OMPI_MCA_btl").value_or("");
  const std::string tls = variable(run, "UCX_TLS").value_or("");
  const bool tcp_only = only_tcp(btl, inside_a_host);
  if (tcp_only && pml == "ob1")
    signs.push_back({Certainty::known, fmt::format("{} with {}: this restricts Open MPI to TCP between nodes.",
                                                   setting(run, "OMPI_MCA_pml"), setting(run, "OMPI_MCA_btl"))});
  else if (tcp_only && pml.empty())
    signs.push_back({Certainty::possible, setting(run, "OMPI_MCA_btl") +
                                              ": this restricts Open MPI's own transports to TCP between nodes. UCX "
                                              "and libfabric, if built in, ignore this setting."});
  if (only_tcp(tls, inside_a_host_ucx) && pml != "ob1")
    signs.push_back({pml == "ucx" ? Certainty::known : Certainty::likely,
                     setting(run, "UCX_TLS") + ": this restricts UCX to TCP between nodes."});
}

bool has_backend(const Run& run, const std::string& backend) {
  return std::ranges::any_of(run.cases, [&](const CaseRecord& c) {
    return c.key.backend == backend && c.key.nodes.value_or(run.head.nodes.value_or(1)) > 1;
  });
}

/// Bandwidth of the fastest Ethernet interface that is up; empty if unknown.
std::optional<double> ethernet_GBps(const Run& run) {
  std::optional<double> most;
  for (const Host& host : run.head.hosts)
    for (const NetworkInterface& i : host.interfaces)
      if (i.kind == InterfaceKind::ethernet && i.is_up() && i.speed_Gbps)
        most = std::max(most.value_or(0), *i.speed_Gbps / 8);
  return most;
}

/// NCCL saturates RDMA ports at large sizes. busbw far below them, and below Ethernet, suggests sockets.
void by_bandwidth(const Run& run, Signs& signs) {
  const CaseRecord* widest = widest_between_nodes(run, "nccl");
  const auto ports = rdma_GBps(run);
  const auto ethernet = ethernet_GBps(run);
  if (widest == nullptr || !ports || widest->key.bytes < large_bytes) return;
  if (*widest->busbw_GBps > little * *ports || (ethernet && *widest->busbw_GBps > *ethernet)) return;
  signs.push_back(
      {Certainty::possible,
       fmt::format("The largest busbw between nodes is {} GB/s ({}), {} of the {:.3g} GB/s of a host's active RDMA "
                   "ports{}. GPUDirect that is off, or a slow path to the port, can also be the cause.",
                   report::bandwidth(widest->busbw_GBps), case_name(*widest), percent(*widest->busbw_GBps / *ports),
                   *ports, ethernet ? fmt::format(", and below the {:.3g} GB/s of its Ethernet", *ethernet) : "")});
}

/// Active ports of all hosts without duplicates: "mlx5_0 port 1 (InfiniBand, 200 Gbit/s)".
std::string ports(const Run& run) {
  std::set<std::string> names;
  std::size_t hosts = 0;
  for (const Host& host : run.head.hosts) {
    const auto active = active_ports(host);
    hosts += !active.empty();
    for (const RdmaPort* p : active)
      names.insert(fmt::format("{} port {} ({}{})", p->device, p->port, p->link_layer.value_or("link unknown"),
                               p->rate_Gbps ? fmt::format(", {:g} Gbit/s", *p->rate_Gbps) : ""));
  }
  if (names.empty()) return {};
  return fmt::format("Active RDMA ports on {}: {}.", plural(hosts, "host"),
                     report::list(std::vector(names.begin(), names.end())));
}

bool has_data_for_sockets(const Run& run) {
  return nodes(run) < 2 ||
         std::ranges::any_of(run.head.hosts, [](const Host& h) { return !h.rdma.empty() || !h.interfaces.empty(); });
}

std::vector<Finding> find_sockets(const Run& run) {
  const std::string present = ports(run);
  if (nodes(run) < 2 || present.empty() || run.head.method.shared_gpu.value_or(false)) return {};
  Signs signs;
  const bool nccl = has_backend(run, "nccl"), mpi = has_backend(run, "mpi");
  if (nccl) advice_for_nccl(run, signs);
  if (mpi) advice_for_mpi(run, signs);
  if (nccl && signs.empty()) by_bandwidth(run, signs);
  if (signs.empty()) return {};
  Finding f{.certainty = std::ranges::min(signs, {}, &Sign::certainty).certainty,
            .title = "nodes communicate over TCP sockets although RDMA ports are up"};
  for (Sign& sign : signs) f.evidence.push_back(std::move(sign.sentence));
  f.evidence.push_back(present);
  if (nccl)
    f.tries.emplace_back(
        "NCCL: unset NCCL_NET and NCCL_IB_DISABLE. At start, NCCL_DEBUG=INFO then shows NET/IB (RDMA) or NET/Socket. "
        "NCCL_IB_HCA chooses devices.");
  if (mpi)
    f.tries.emplace_back(
        "Open MPI: use --mca pml ucx with UCX_TLS unset (UCX_NET_DEVICES=mlx5_0:1 chooses a port). To check for UCX "
        "support: ompi_info | grep ucx.");
  return {f};
}

}  // namespace

extern const Rule sockets{
    .name = "sockets",
    .about = "TCP between nodes that have RDMA devices",
    .order = 60,
    .suspicious = true,
    .has_data = has_data_for_sockets,
    .look = find_sockets,
};

}  // namespace busbar::explain
