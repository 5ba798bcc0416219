// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/rank_place.hpp"
#include "core/record/run.hpp"
#include "reports/explain/network.hpp"
#include "reports/explain/rule.hpp"
#include "reports/explain/words.hpp"
#include "reports/text/text.hpp"

/// Source of NCCL's default, PXB: ncclTopoCheckGdr in src/graph/paths.cc.
namespace busbar::explain {
namespace {

/// Path types of GpuLinks, nearest first.
constexpr std::array<std::string_view, 7> words{"X", "PSB", "PIX", "PXB", "PHB", "NODE", "SYS"};
constexpr std::size_t node = 5, sys = 6;

/// The path from a GPU to its nearest active network device.
struct Way {
  std::size_t word = words.size();  ///< index into `words`
  std::string device;
};

/// The nearest active RDMA device of a GPU; empty if there is none, or if any distance is unknown.
std::optional<Way> nearest(const Host& host, const std::vector<std::optional<std::string>>& row) {
  Way way;
  for (std::size_t i = 0; i < std::min(row.size(), host.gpu_links->columns.size()); ++i) {
    const std::string& device = host.gpu_links->columns[i];
    const auto ports = active_ports(host);
    if (std::ranges::none_of(ports, [&](const RdmaPort* p) { return p->device == device; })) continue;
    const auto at = std::ranges::find(words, row[i].value_or(""));
    if (at == words.end()) return std::nullopt;
    const auto word = static_cast<std::size_t>(at - words.begin());
    if (word < way.word) way = {.word = word, .device = device};
  }
  return way.device.empty() ? std::nullopt : std::optional(way);
}

/// True if a rank used this GPU, or if no rank of the host reports its GPU.
bool used(const Run& run, const Host& host, const Gpu& gpu) {
  bool told = false;
  for (const RankPlace& p : run.head.placement) {
    if (p.host != host.name || (!p.device_uuid && !p.device_bus)) continue;
    told = true;
    if ((p.device_uuid && p.device_uuid == gpu.uuid) || (p.device_bus && p.device_bus == gpu.bus)) return true;
  }
  return !told;
}

/// GPUs of a host that are far from every active RDMA device.
struct Far {
  std::vector<std::string> across_sockets, across_bridges;  ///< "GPU2 to mlx5_0"
};

Far far_gpus(const Run& run, const Host& host) {
  Far far;
  if (!host.gpu_links) return far;
  for (std::size_t i = 0; i < std::min(host.gpus.size(), host.gpu_links->rows.size()); ++i) {
    if (!used(run, host, host.gpus[i])) continue;
    const auto way = nearest(host, host.gpu_links->rows[i]);
    if (!way || way->word < node) continue;
    (way->word == sys ? far.across_sockets : far.across_bridges)
        .push_back(fmt::format("GPU{} to {}", i, report::shortened(way->device)));
  }
  return far;
}

void add_far_nic(std::vector<std::string>& evidence, const std::string& host, std::span<const std::string> ways,
                 std::string_view word) {
  if (!ways.empty() && evidence.size() < 4)
    evidence.push_back(fmt::format("{}: {}: {}.", host, word, report::list(ways, 8)));
}

bool has_data_for_far_nic(const Run& run) {
  return std::ranges::any_of(run.head.hosts, [](const Host& h) { return h.gpu_links.has_value(); });
}

std::vector<Finding> find_far_nic(const Run& run) {
  if (nodes(run) < 2 || !uses_gpus(run)) return {};
  Finding f{.certainty = Certainty::known};
  std::size_t sockets = 0, bridges = 0;
  for (const Host& host : run.head.hosts) {
    const Far far = far_gpus(run, host);
    sockets += far.across_sockets.size();
    bridges += far.across_bridges.size();
    add_far_nic(f.evidence, host.name, far.across_sockets, "SYS, across the link between NUMA nodes");
    add_far_nic(f.evidence, host.name, far.across_bridges, "NODE, across host bridges of one NUMA node");
    if (!far.across_sockets.empty() || !far.across_bridges.empty()) f.where.hosts.push_back(host.name);
  }
  if (f.where.hosts.empty()) return {};
  f.title = sockets > 0
                ? plural(sockets, "GPU") + " can reach active network devices only across the link between sockets"
                : plural(bridges, "GPU") + " can reach active network devices only across host bridges";
  f.evidence.emplace_back(
      "By default, NCCL uses GPUDirect RDMA only across PCIe switches. Otherwise data goes through host memory, or "
      "over NVLink through a GPU near a device (PXN).");
  f.tries = {
      "Use the GPUs near a device, or a device near each GPU. Check for ports that are down (ibstat), and the topology "
      "(nvidia-smi topo -m).",
      "Try NCCL_NET_GDR_LEVEL=SYS, which allows GPUDirect RDMA on these paths, and compare."};
  return {f};
}

}  // namespace

extern const Rule far_nic{
    .name = "far_nic",
    .about = "a GPU has no active network device on its side of the host",
    .order = 120,
    .suspicious = true,
    .has_data = has_data_for_far_nic,
    .look = find_far_nic,
};

}  // namespace busbar::explain
