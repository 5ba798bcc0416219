// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/core.h>

#include "core/base/json.hpp"
#include "core/base/units.hpp"
#include "core/record/rank_place.hpp"
#include "core/record/run.hpp"
#include "core/record/run_record.hpp"
#include "core/record/software.hpp"
#include "reports/sections/report_document.hpp"
#include "reports/text/text.hpp"

namespace busbar::report {
namespace {

using Row = std::vector<std::string>;

/// Table rows shared by several hosts or runs: equal rows appear once, with a list of their owners.
class SharedRows {
 public:
  void add(const Row& row, const std::string& whom) {
    const auto [at, is_new] = places_.try_emplace(row, rows_.size());
    if (is_new) rows_.push_back({.row = row, .whom = {}});
    if (owners_.emplace(at->second, whom).second) rows_[at->second].whom.push_back(whom);
  }

  /// `everybody`: number of owners in total; a row that applies to all shows `all_of_them` instead of names.
  [[nodiscard]] std::vector<Row> rows(std::size_t everybody, const std::string& all_of_them) const {
    std::vector<Row> out;
    for (const auto& [row, whom] : rows_) {
      out.push_back({everybody > 1 && whom.size() == everybody ? all_of_them : list(whom)});
      out.back().insert(out.back().end(), row.begin(), row.end());
    }
    return out;
  }
  [[nodiscard]] bool empty() const { return rows_.empty(); }

 private:
  struct Entry {
    Row row;
    Row whom;
  };
  std::vector<Entry> rows_;
  std::map<Row, std::size_t> places_;                     ///< of rows_
  std::set<std::pair<std::size_t, std::string>> owners_;  ///< a place of rows_ and one of its owners
};

std::string text(const std::optional<std::string>& t) { return t.value_or(std::string(unknown)); }
std::string text(std::optional<int> n) { return n ? std::to_string(*n) : std::string(unknown); }
std::string gbit(std::optional<double> rate) { return rate ? fmt::format("{:g} Gbit/s", *rate) : std::string(unknown); }

/// Rounded: "251 GiB".
std::string memory_text(std::optional<std::uint64_t> bytes) {
  return bytes ? fmt::format("{:.0f} GiB", static_cast<double>(*bytes) / (1 << 30)) : std::string(unknown);
}

bool only_named(const Host& h) {
  return !h.cpu_model && !h.cores && !h.threads && !h.memory_bytes && !h.kernel && !h.os;
}

std::size_t host_count(const std::vector<Run>& runs) {
  std::map<std::string, int> names;
  for (const Run& run : runs) {
    for (const Host& h : run.head.hosts) ++names[h.name];
  }
  return names.size();
}

std::string processors(const Host& h) {
  return fmt::format("{}; {} sockets, {} cores, {} threads", text(h.cpu_model), text(h.sockets), text(h.cores),
                     text(h.threads));
}

/// Hosts that differ only in name share a row.
Table hosts_table(const std::vector<Run>& runs) {
  SharedRows shared;
  for (const Run& run : runs) {
    for (const Host& h : run.head.hosts) {
      if (only_named(h)) continue;
      shared.add({processors(h), memory_text(h.memory_bytes), text(h.os), text(h.kernel), h.virtualisation,
                  h.container.value_or("none seen")},
                 h.name);
    }
  }
  return {.title = "Hosts",
          .columns = {{"hosts"}, {"processors"}, {"memory"}, {"system"}, {"kernel"}, {"virtualisation"}, {"container"}},
          .rows = shared.rows(host_count(runs), "all hosts")};
}

std::string on_off(std::optional<bool> on) { return !on ? std::string(unknown) : *on ? "on" : "off"; }

/// Host settings that affect CPU speed or clock resolution.
Table environment_settings_table(const std::vector<Run>& runs) {
  SharedRows shared;
  for (const Run& run : runs) {
    for (const Host& h : run.head.hosts) {
      if (only_named(h)) continue;
      shared.add({text(h.governor), text(h.cpufreq_driver), on_off(h.turbo), on_off(h.smt),
                  h.cpu_quota ? fmt::format("{:g} CPUs", *h.cpu_quota) : "none seen", text(h.clock_source),
                  text(h.transparent_huge_pages)},
                 h.name);
    }
  }
  return {.title = "Processor and kernel settings",
          .columns = {{"hosts"},
                      {"CPU governor"},
                      {"frequency driver"},
                      {"turbo"},
                      {"SMT"},
                      {"CPU quota"},
                      {"clock source"},
                      {"transparent huge pages"}},
          .rows = shared.rows(host_count(runs), "all hosts")};
}

Table named_hosts_table(const std::vector<Run>& runs) {
  const auto names = run_names(runs);
  SharedRows shared;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    Row hosts;
    for (const Host& h : runs[i].head.hosts) {
      if (only_named(h)) hosts.push_back(h.name);
    }
    if (!hosts.empty()) shared.add({list(hosts, 16)}, names[i]);
  }
  Table t{.title = "Hosts known only by name",
          .columns = {{"runs"}, {"hosts"}},
          .rows = shared.rows(runs.size(), "all runs")};
  return t;
}

Table nics_table(const std::vector<Run>& runs) {
  SharedRows shared;
  for (const Run& run : runs) {
    for (const Host& h : run.head.hosts) {
      for (const NetworkInterface& n : h.interfaces)
        shared.add({n.name, text_of(n.kind), text(n.driver), text(n.state), gbit(n.speed_Gbps), text(n.mtu)}, h.name);
      for (const RdmaPort& p : h.rdma)
        shared.add({fmt::format("{} port {}", p.device, p.port), "RDMA, " + p.link_layer.value_or("link unknown"), "",
                    text(p.state), gbit(p.rate_Gbps), ""},
                   h.name);
    }
  }
  return {
      .title = "Network interfaces",
      .columns = {{"hosts"}, {"interface"}, {"kind"}, {"driver"}, {"state"}, {"speed"}, {"MTU", ColumnKind::number}},
      .rows = shared.rows(host_count(runs), "all hosts")};
}

/// GPU models of a host with their counts; if the record lists none, those that its ranks used.
std::map<std::string, std::size_t> gpu_models(const RunRecord& r, const Host& h) {
  std::map<std::string, std::size_t> count;
  for (const Gpu& gpu : h.gpus) ++count[gpu.name];
  if (!count.empty()) return count;
  for (const RankPlace& place : r.placement) {
    if (place.host == h.name && place.device) ++count[*place.device];
  }
  return count;
}

Table gpus_table(const std::vector<Run>& runs) {
  SharedRows shared;
  for (const Run& run : runs) {
    for (const Host& h : run.head.hosts) {
      for (const auto& [model, n] : gpu_models(run.head, h))
        shared.add({fmt::format("{} x {}", n, model), text(h.gpu_driver)}, h.name);
    }
  }
  return {.title = "GPUs",
          .columns = {{"hosts"}, {"GPUs"}, {"driver"}},
          .rows = shared.rows(host_count(runs), "all hosts")};
}

/// "PCIe 4 x8 of 5 x16"; an idle GPU can run below its maximum.
std::string pcie_text(const Gpu& g) {
  const auto link = [](std::optional<int> gen, std::optional<int> width) {
    return fmt::format("{} x{}", text(gen), text(width));
  };
  if (!g.pcie_gen && !g.pcie_width) return std::string(unknown);
  const std::string now = link(g.pcie_gen, g.pcie_width), most = link(g.pcie_gen_max, g.pcie_width_max);
  if (now == most || (!g.pcie_gen_max && !g.pcie_width_max)) return "PCIe " + now;
  return fmt::format("PCIe {} of {}", now, most);
}

std::string nvlinks_text(const Gpu& g) {
  if (!g.nvlinks) return std::string(unknown);
  return g.nvlink_version ? fmt::format("{}, version {}", *g.nvlinks, *g.nvlink_version) : std::to_string(*g.nvlinks);
}

Row gpu_row(const Gpu& g) {
  return {memory_text(g.memory_bytes),
          on_off(g.mig),
          text(g.virtualisation),
          on_off(g.ecc),
          on_off(g.persistence),
          text(g.compute_mode),
          g.power_limit_W ? fmt::format("{:g} W", *g.power_limit_W) : std::string(unknown),
          g.sm_clock_max_MHz ? fmt::format("{:g} MHz", *g.sm_clock_max_MHz) : std::string(unknown),
          pcie_text(g),
          nvlinks_text(g),
          text(g.numa_node)};
}

/// Equal rows of a host, with the names of their devices.
using HostsAlike = std::vector<std::pair<Row, Row>>;

void add_alike(HostsAlike& all, const Row& row, const std::string& device) {
  auto it = std::ranges::find(all, row, &std::pair<Row, Row>::first);
  if (it == all.end()) it = all.insert(all.end(), {row, {}});
  it->second.push_back(device);
}

/// GPUs of a host with equal settings share a row. Omits GPUs known only by name.
Table gpu_settings_table(const std::vector<Run>& runs) {
  const Row nothing = gpu_row(Gpu{});
  SharedRows shared;
  for (const Run& run : runs) {
    for (const Host& h : run.head.hosts) {
      HostsAlike alike;
      for (std::size_t i = 0; i < h.gpus.size(); ++i) {
        const Row row = gpu_row(h.gpus[i]);
        if (row != nothing) add_alike(alike, row, fmt::format("GPU{}", i));
      }
      for (const auto& [row, gpus] : alike) {
        Row whole{list(gpus, 16)};
        whole.insert(whole.end(), row.begin(), row.end());
        shared.add(whole, h.name);
      }
    }
  }
  return {.title = "GPU settings",
          .columns = {{"hosts"},
                      {"GPUs"},
                      {"memory"},
                      {"MIG"},
                      {"virtualisation"},
                      {"ECC"},
                      {"persistence"},
                      {"compute mode"},
                      {"power limit"},
                      {"highest SM clock"},
                      {"link to the host"},
                      {"NVLinks up"},
                      {"NUMA node", ColumnKind::number}},
          .rows = shared.rows(host_count(runs), "all hosts")};
}

/// IOMMU, ATS and ACS per device. "unknown": only root can read it.
Table pci_table(const std::vector<Run>& runs) {
  SharedRows shared;
  const auto yes_no = [](std::optional<bool> yes) { return !yes ? std::string(unknown) : *yes ? "yes" : "no"; };
  for (const Run& run : runs) {
    for (const Host& h : run.head.hosts) {
      HostsAlike alike;
      for (std::size_t i = 0; i < h.gpus.size(); ++i)
        add_alike(alike, {on_off(h.gpus[i].ats), yes_no(h.gpus[i].acs_redirect)}, fmt::format("GPU{}", i));
      for (const RdmaPort& p : h.rdma)
        add_alike(alike, {on_off(p.ats), yes_no(p.acs_redirect)}, fmt::format("{} port {}", p.device, p.port));
      if (alike.empty() && h.iommu) alike.push_back({{"", ""}, {}});
      for (const auto& [row, devices] : alike)
        if (h.iommu || row != Row{std::string(unknown), std::string(unknown)})
          shared.add({text(h.iommu), list(devices, 16), row[0], row[1]}, h.name);
    }
  }
  return {.title = "IOMMU and PCI",
          .columns = {{"hosts"},
                      {"IOMMU"},
                      {"devices"},
                      {"address translation services (ATS)"},
                      {"transfers between devices pass the host bridge (ACS)"}},
          .rows = shared.rows(host_count(runs), "all hosts")};
}

std::vector<Row> link_rows(const GpuLinks& links) {
  std::vector<Row> rows{links.columns};  // the column heads: keeps hosts with other devices apart
  for (std::size_t i = 0; i < links.rows.size(); ++i) {
    Row row{i < links.columns.size() ? links.columns[i] : std::string(unknown)};
    for (const auto& word : links.rows[i]) row.push_back(text(word));
    row.resize(links.columns.size() + 1, std::string(unknown));
    rows.push_back(row);
  }
  return rows;
}

/// One matrix per group of hosts with equal links, then a legend.
std::vector<Block> gpu_links_tables(const std::vector<Run>& runs) {
  std::vector<std::pair<std::vector<Row>, Row>> shared;
  for (const Run& run : runs) {
    for (const Host& h : run.head.hosts) {
      if (!h.gpu_links || h.gpu_links->columns.empty()) continue;
      const auto rows = link_rows(*h.gpu_links);
      auto it = std::ranges::find(shared, rows, &std::pair<std::vector<Row>, Row>::first);
      if (it == shared.end()) it = shared.insert(shared.end(), {rows, {}});
      if (std::ranges::find(it->second, h.name) == it->second.end()) it->second.push_back(h.name);
    }
  }
  std::vector<Block> environment_facts_blocks;
  const std::size_t everybody = host_count(runs);
  for (const auto& [rows, whom] : shared) {
    Table t{.title = "GPU links: " + (whom.size() == everybody && everybody > 1 ? "all hosts" : list(whom)),
            .columns = {{""}},
            .rows = {rows.begin() + 1, rows.end()},
            .folded = shared.size() > 2};
    for (const std::string& device : rows.front()) t.columns.push_back({device});
    environment_facts_blocks.emplace_back(std::move(t));
  }
  if (!environment_facts_blocks.empty())
    environment_facts_blocks.emplace_back(
        Paragraph{"Path between two devices: X the same device; NV and a number, that many NVLinks; PIX at most one "
                  "PCIe switch; PXB several PCIe switches; PHB a host bridge; NODE host bridges of one NUMA node; SYS "
                  "the link between NUMA nodes."});
  return environment_facts_blocks;
}

std::string built_with(const Tool& t) {
  if (!t.compiler && !t.build_type) return std::string(unknown);
  return text(t.compiler) + ", " + text(t.build_type);
}

/// "cuda_driver 13.0, nccl 2.28.9"; empty if the record lists none besides MPI.
std::string libraries(const RunRecord& r) {
  std::string all;
  for (const auto& [name, version] : r.libraries) all += (all.empty() ? "" : ", ") + name + " " + version;
  return all;
}

Table software_table(const std::vector<Run>& runs) {
  const auto names = run_names(runs);
  SharedRows shared;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const RunRecord& r = runs[i].head;
    std::string mpi(unknown);
    if (r.mpi) mpi = fmt::format("{} (MPI {}, {})", r.mpi->library, r.mpi->standard, r.mpi->thread_level);
    std::string yields(unknown);
    if (r.mpi && r.mpi->yields) {
      yields = *r.mpi->yields ? "yield their CPU" : "keep their CPU";
      if (r.mpi->yield_asked_by && *r.mpi->yield_asked_by != "nobody")
        yields += fmt::format(" (requested by {})", *r.mpi->yield_asked_by);
    }
    shared.add({fmt::format("{} {}", r.tool.name, text(r.tool.version)), text(r.tool.revision), built_with(r.tool), mpi,
                yields, libraries(r)},
               names[i]);
  }
  Table t{.title = "Software",
          .columns = {{"runs"},
                      {"tool"},
                      {"revision", ColumnKind::code},
                      {"built with"},
                      {"MPI"},
                      {"waiting ranks"},
                      {"libraries"}},
          .rows = shared.rows(runs.size(), "all runs")};
  drop_last_column_if_empty(t);
  return t;
}

std::string timer(const RunRecord& r) {
  if (!r.timer) return std::string(unknown);
  return fmt::format("resolution {}, {} per read", duration(r.timer->resolution_s), duration(r.timer->cost_s));
}

std::string synchronisation(const RunRecord& r) {
  if (!r.clock) return std::string(unknown);
  return fmt::format("{}: residual {}, uncertainty {}; took {}", r.clock->method, duration(r.clock->residual_s),
                     duration(r.clock->uncertainty_s), duration(r.clock->took_s));
}

std::string clock_checks(const Run& run) {
  if (!run.end) return std::string(unknown);
  const ClockChecks c = run.end->clock.value_or(ClockChecks{});
  if (c.checks.empty()) return "no check: the run was too short";
  std::string s = plural(c.checks.size(), "check");
  if (c.worst_residual_s) s += fmt::format(", residual at most {}", duration(*c.worst_residual_s));
  if (c.resynchronised == 0) return s;
  return s + "; resynchronised " + how_often(c.resynchronised);
}

/// CPU time lost to OS noise: range over ranks, and the worst rank.
std::string noise(const RunRecord& r) {
  if (r.noise.empty()) return "not measured";
  const auto [least, most] = std::ranges::minmax_element(r.noise, {}, &Noise::stolen_share);
  const auto worst = static_cast<std::size_t>(most - r.noise.begin());
  const double longest_s = std::ranges::max(r.noise, {}, &Noise::longest_s).longest_s;
  const double varied = std::ranges::max(r.noise, {}, &Noise::speed_ratio).speed_ratio;
  const std::string host = worst < r.placement.size() ? " on " + r.placement[worst].host : "";
  const std::string from = r.noise.size() > 1 ? fmt::format("{:.2g} to ", 100 * least->stolen_share) : "";
  return fmt::format("{}{:.2g} % of CPU time lost, most by rank {}{}; longest interruption {}; speed varied {:.2f}x",
                     from, 100 * most->stolen_share, worst, host, duration(longest_s), varied);
}

std::string settling(const Run& run) {
  if (!run.end || !run.end->settling) return "none";
  const Settling& s = *run.end->settling;
  const std::string how = s.times > 0       ? fmt::format("{} for {:.1f} s", how_often(s.times), s.seconds)
                          : s.near_at_start ? "not needed"
                                            : "left out, as others used the CPUs";
  return fmt::format("{}; a barrier took {} before, {} usually; {} of {} checks found ranks on distant CPUs{}", how,
                     duration(s.first_barrier_s), duration(s.usual_barrier_s.value_or(s.best_barrier_s)), s.far,
                     s.looks, s.gave_up ? "; stopped, as it did not help" : "");
}

Table clocks_table(const std::vector<Run>& runs) {
  const auto names = run_names(runs);
  SharedRows shared;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const RunRecord& r = runs[i].head;
    if (r.timer || r.clock || !r.noise.empty())
      shared.add({timer(r), synchronisation(r), clock_checks(runs[i]), noise(r), settling(runs[i])}, names[i]);
  }
  return {
      .title = "Clocks and OS noise",
      .columns =
          {{"runs"}, {"timer"}, {"rank clocks"}, {"during the run"}, {"OS noise before the run"}, {"rank settling"}},
      .rows = shared.rows(runs.size(), "all runs")};
}

Table variables_table(const std::vector<Run>& runs) {
  const auto names = run_names(runs);
  SharedRows shared;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (const auto& [key, value] : runs[i].head.environment) shared.add({key, value}, names[i]);
  }
  Table t{.title = "Recorded environment variables",
          .columns = {{"runs"}, {"variable", ColumnKind::code}, {"value", ColumnKind::code}},
          .rows = shared.rows(runs.size(), "all runs")};
  std::ranges::sort(t.rows, {}, [](const Row& row) { return std::tie(row[1], row[2], row[0]); });
  return t;
}

Table commands_table(const std::vector<Run>& runs) {
  const auto names = run_names(runs);
  SharedRows shared;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::string command;
    for (const auto& word : runs[i].head.argv) command += (command.empty() ? "" : " ") + word;
    const std::string source = runs[i].head.source.value_or("");
    if (!command.empty() || !source.empty())
      shared.add({command.empty() ? std::string(unknown) : command, source}, names[i]);
  }
  return {.title = "Command lines",
          .columns = {{"runs"}, {"command", ColumnKind::code}, {"imported from", ColumnKind::code}},
          .rows = shared.rows(runs.size(), "all runs")};
}

std::vector<Row> placement_rows(const RunRecord& r) {
  std::vector<Row> rows;
  for (const RankPlace& p : r.placement) {
    const std::string bound = !p.bound ? std::string(unknown) : *p.bound ? "bound" : "not bound";
    const std::string device = p.device ? *p.device + (p.device_bus ? " [" + *p.device_bus + "]" : "") : "";
    rows.push_back({std::to_string(p.rank), p.host, text(p.local_rank), text(p.cpus), bound, device});
  }
  return rows;
}

/// One table per group of runs with equal placement of ranks.
std::vector<Block> binding_tables(const std::vector<Run>& runs) {
  const auto names = run_names(runs);
  std::vector<std::pair<std::vector<Row>, Row>> shared;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto rows = placement_rows(runs[i].head);
    if (rows.empty()) continue;
    auto it = std::ranges::find(shared, rows, &std::pair<std::vector<Row>, Row>::first);
    if (it == shared.end()) it = shared.insert(shared.end(), {rows, {}});
    it->second.push_back(names[i]);
  }
  std::vector<Block> environment_facts_blocks;
  for (const auto& [rows, whom] : shared) {
    const auto number = ColumnKind::number;
    environment_facts_blocks.emplace_back(Table{
        .title = "Ranks and binding: " + (whom.size() == runs.size() && runs.size() > 1 ? "all runs" : list(whom)),
        .columns = {{"rank", number}, {"host"}, {"local rank", number}, {"CPUs"}, {"binding"}, {"GPU"}},
        .rows = rows,
        .folded = rows.size() > 8 || shared.size() > 2});
  }
  return environment_facts_blocks;
}

std::vector<Block> environment_facts_blocks(const Material& material) {
  const auto& runs = material.runs();
  std::vector<Block> all;
  for (const auto make :
       {hosts_table, environment_settings_table, named_hosts_table, nics_table, gpus_table, gpu_settings_table,
        pci_table, software_table, clocks_table, commands_table, variables_table}) {
    Table t = make(runs);
    t.folded = t.rows.size() > 12;
    if (!t.rows.empty()) all.emplace_back(std::move(t));
  }
  for (Block& block : gpu_links_tables(runs)) all.emplace_back(std::move(block));
  for (Block& block : binding_tables(runs)) all.emplace_back(std::move(block));
  return all;
}

}  // namespace

}  // namespace busbar::report

namespace busbar {

extern const report::Section environment_facts{
    .name = "environment", .title = "Environment", .blocks = report::environment_facts_blocks, .folded = true};

}  // namespace busbar
