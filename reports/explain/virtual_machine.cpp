// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/units.hpp"
#include "reports/explain/network.hpp"
#include "reports/explain/rule.hpp"
#include "reports/explain/words.hpp"
#include "reports/rank_rows.hpp"
#include "reports/text.hpp"

namespace busbar::explain {
namespace {

constexpr double most_stolen = 0.02;  ///< of the CPUs' time over all cases
constexpr double least_wall_s = 2;    ///< of all cases together: stolen time is counted in ticks of 10 ms
constexpr double most_far =
    0.2;  ///< of the looks at a barrier; busbar-bench spends a fifth of a run on settling at most
constexpr std::uint64_t fewest_looks = 10;
constexpr double low_bandwidth = 0.5;  ///< of what the RDMA ports carry

/// Time that the hypervisor took of the CPUs of a host, over what they had.
struct Stolen {
  double stolen_s = 0, cpu_s = 0, wall_s = 0;
};

std::map<std::string, Stolen> stolen(const Run& run) {
  std::map<std::string, int> cpus;
  for (const Host& host : run.head.hosts)
    if (host.threads) cpus[host.name] = *host.threads;
  std::map<std::string, Stolen> all;
  for (const CaseRecord& c : run.cases) {
    std::map<std::string, bool> seen;  // each rank of a host counts the whole host
    for (std::size_t row = 0; row < c.usage.size(); ++row) {
      const std::string host = host_of(run, report::rank_of_row(c, row));
      const Usage& usage = c.usage[row];
      if (!usage.host_stolen_s || !cpus.contains(host) || std::exchange(seen[host], true)) continue;
      Stolen& s = all[host];
      s.stolen_s += *usage.host_stolen_s;
      s.cpu_s += usage.wall_s * cpus[host];
      s.wall_s += usage.wall_s;
    }
  }
  return all;
}

void add_stolen(const Run& run, std::vector<Finding>& found) {
  Finding f{
      .certainty = Certainty::known,
      .title = "the hypervisor took CPU time from the hosts while cases were measured",
      .evidence = {},
      .tries =
          {"Give the virtual machine CPUs of its own: pinned, no more virtual than real ones, none shared with other "
           "guests.",
           "Compare only with runs in which as little was taken (contention, in the record)."},
      .where = {}};
  for (const auto& [host, s] : stolen(run)) {
    if (s.wall_s < least_wall_s || s.stolen_s < most_stolen * s.cpu_s) continue;
    f.where.hosts.push_back(host);
    if (f.evidence.size() < 3)
      f.evidence.push_back(fmt::format("{}: {} of the time of all its CPUs, over {} in cases.", host,
                                       percent(s.stolen_s / s.cpu_s), format_duration(s.wall_s)));
  }
  if (!f.evidence.empty()) found.push_back(std::move(f));
}

bool is_virtual(const Host& h) { return h.virtualisation != "bare metal" && h.virtualisation != "unknown"; }

void add_far_ranks(const Run& run, std::vector<Finding>& found) {
  if (!run.end || !run.end->settling || std::ranges::none_of(run.head.hosts, is_virtual)) return;
  const Settling& s = *run.end->settling;
  if (s.looks < fewest_looks || static_cast<double>(s.far) < most_far * static_cast<double>(s.looks)) return;
  found.push_back(
      {.certainty = Certainty::likely,
       .title = "the virtual CPUs of ranks were far from each other again and again",
       .evidence = {fmt::format("At {} of {} looks between rounds a barrier took more than {:g} times its best, "
                                "{}, though ranks were settled {} ({} in all). Other work on these CPUs can do the "
                                "same.",
                                s.far, s.looks, far_ratio, format_duration(s.best_barrier_s), how_often(s.times),
                                format_duration(s.seconds))},
       .tries = {"Pin virtual CPUs to real ones that share a cache.",
                 "--settle no measures what comes; hold only runs with the same --settle against each other."},
       .where = {}});
}

/// True where the links show no PCIe switch between any GPU and any network device: a virtual machine may hide them.
bool shows_no_switch(const Host& h) {
  if (!h.gpu_links || active_ports(h).empty()) return false;
  bool any = false;
  for (const auto& row : h.gpu_links->rows)
    for (std::size_t i = 0; i < std::min(row.size(), h.gpu_links->columns.size()); ++i) {
      const auto ports = active_ports(h);
      if (std::ranges::none_of(ports, [&](const RdmaPort* p) { return p->device == h.gpu_links->columns[i]; }))
        continue;
      if (row[i] != "PHB" && row[i] != "NODE" && row[i] != "SYS") return false;
      any = true;
    }
  return any;
}

/// Whether the record tells of address translation services; what it tells of access control has a rule of its own.
std::string told_of_ats(const Run& run) {
  std::size_t on = 0, told = 0;
  for (const Host& host : run.head.hosts)
    for (const Gpu& gpu : host.gpus) {
      told += gpu.ats.has_value();
      on += gpu.ats.value_or(false);
    }
  if (told == 0) return "is not in the record: the kernel shows it to root only.";
  return fmt::format("depends on ATS, which is on for {} of {}.", on, plural(told, "GPU"));
}

void add_hidden_topology(const Run& run, std::vector<Finding>& found) {
  const CaseRecord* widest = widest_between_nodes(run, "nccl");
  const auto ports = rdma_GBps(run);
  if (widest == nullptr || !ports || *widest->busbw_GBps > low_bandwidth * *ports) return;
  if (!std::ranges::all_of(run.head.hosts, [](const Host& h) { return is_virtual(h) && shows_no_switch(h); })) return;
  found.push_back(
      {.certainty = Certainty::possible,
       .title = "the virtual machine may hide how GPUs and network devices are connected",
       .evidence = {fmt::format("{}: no PCIe switch is seen between a GPU and an active RDMA device, on any host.",
                                run.head.hosts.front().virtualisation),
                    fmt::format(
                        "The largest busbw between nodes is {} GB/s ({}), {} of what the ports of a host carry.",
                        report::bandwidth(widest->busbw_GBps), case_name(*widest),
                        percent(*widest->busbw_GBps / *ports)),
                    "Whether ACS and ATS let GPU and network device reach each other directly " + told_of_ats(run)},
       .tries =
           {"Compare nvidia-smi topo -m in the guest and on the host; give NCCL the true one with NCCL_TOPO_FILE.",
            "Turn ATS on in the hypervisor and on the network device (for peer-to-peer in a guest), then look with "
            "NCCL_DEBUG=INFO whether it says GDRDMA."},
       .where = {}});
}

bool has_data_for_virtual_machine(const Run& run) {
  return std::ranges::any_of(run.head.hosts, [](const Host& h) { return h.virtualisation != "unknown"; });
}

std::vector<Finding> find_virtual_machine(const Run& run) {
  std::vector<Finding> found;
  add_stolen(run, found);
  add_far_ranks(run, found);
  add_hidden_topology(run, found);
  return found;
}

}  // namespace
}  // namespace busbar::explain

namespace busbar {

extern const explain::Rule virtual_machine{
    .name = "virtual_machine",
    .about = "what only a hypervisor does: stolen time, CPUs far from each other, hidden topology",
    .order = 150,
    .has_data = explain::has_data_for_virtual_machine,
    .look = explain::find_virtual_machine,
};

}  // namespace busbar
