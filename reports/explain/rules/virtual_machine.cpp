// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/statistics/undisturbed.hpp"
#include "reports/explain/network.hpp"
#include "reports/explain/rule.hpp"
#include "reports/explain/words.hpp"
#include "reports/text/text.hpp"

namespace busbar::explain {
namespace {

constexpr double least_wall_s = 2;  ///< total over cases: stolen time is counted in ticks of 10 ms
constexpr double most_far =
    0.2;  ///< fraction of barrier checks; busbar-bench spends at most a fifth of a run on settling ranks
constexpr std::uint64_t fewest_looks = 10;
constexpr double low_bandwidth = 0.5;  ///< fraction of the RDMA ports' bandwidth

void add_stolen(const Run& run, std::vector<Finding>& found) {
  Finding f{
      .certainty = Certainty::known,
      .title = "the hypervisor stole CPU time from the hosts during cases",
      .tries = {"Give the virtual machine dedicated CPUs: pinned, not overcommitted, not shared with other guests.",
                "Compare only with runs with as little stolen time (contention, in the record)."}};
  for (const auto& [host, s] : stolen_by_host(run)) {
    if (s.wall_s < least_wall_s || s.share() < most_stolen) continue;
    f.where.hosts.push_back(host);
    if (f.evidence.size() < 3)
      f.evidence.push_back(fmt::format("{}: {} of the time of all its CPUs, during {} of cases.", host,
                                       percent(s.share()), format_duration(s.wall_s)));
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
       .title = "the virtual CPUs of ranks were often far apart",
       .evidence = {fmt::format("In {} of {} checks between rounds, a barrier took more than {:g}x its best time, "
                                "{}, although ranks were settled {} ({} in total). Other load on these CPUs can also "
                                "be the cause.",
                                s.far, s.looks, far_ratio, format_duration(s.best_barrier_s), how_often(s.times),
                                format_duration(s.seconds))},
       .tries = {"Pin virtual CPUs to physical ones that share a cache.",
                 "Use --settle no to measure without settling; compare only runs with the same --settle."}});
}

/// True if no PCIe switch is visible between any GPU and any active RDMA port: a virtual machine may hide switches.
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

/// End of a sentence on address translation services (ATS). Rule pci_detour covers access control (ACS).
std::string told_of_ats(const Run& run) {
  std::size_t on = 0, told = 0;
  for (const Host& host : run.head.hosts)
    for (const Gpu& gpu : host.gpus) {
      told += gpu.ats.has_value();
      on += gpu.ats.value_or(false);
    }
  if (told == 0) return "; ATS is not in the record: the kernel shows it only to root.";
  return fmt::format("; ATS is on for {} of {}.", on, plural(told, "GPU"));
}

void add_hidden_topology(const Run& run, std::vector<Finding>& found) {
  const CaseRecord* widest = widest_between_nodes(run, "nccl");
  const auto ports = rdma_GBps(run);
  if (widest == nullptr || !ports || *widest->busbw_GBps > low_bandwidth * *ports) return;
  if (!std::ranges::all_of(run.head.hosts, [](const Host& h) { return is_virtual(h) && shows_no_switch(h); })) return;
  found.push_back(
      {.certainty = Certainty::possible,
       .title = "the virtual machine may hide the topology of GPUs and network devices",
       .evidence = {fmt::format("{}: no host shows a PCIe switch between a GPU and an active RDMA device.",
                                run.head.hosts.front().virtualisation),
                    fmt::format(
                        "The largest busbw between nodes is {} GB/s ({}), {} of the bandwidth of a host's ports.",
                        report::bandwidth(widest->busbw_GBps), case_name(*widest),
                        percent(*widest->busbw_GBps / *ports)),
                    "Direct transfers between GPU and network device depend on ACS and ATS" + told_of_ats(run)},
       .tries = {
           "Compare nvidia-smi topo -m in the guest and on the host; pass the true one to NCCL with NCCL_TOPO_FILE.",
           "Enable ATS in the hypervisor and on the network device (for peer-to-peer in a guest), then check that "
           "NCCL_DEBUG=INFO shows GDRDMA."}});
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

extern const Rule virtual_machine{
    .name = "virtual_machine",
    .about = "effects of a hypervisor: stolen time, virtual CPUs far apart, hidden topology",
    .order = 150,
    .has_data = has_data_for_virtual_machine,
    .look = find_virtual_machine,
};

}  // namespace busbar::explain
