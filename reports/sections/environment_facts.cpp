// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
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
    if (is_new) rows_.push_back({.row = row});
    if (owners_.emplace(at->second, whom).second) rows_[at->second].whom.push_back(whom);
  }

  /// `everybody`: number of owners in total; a row that applies to all shows `all_of_them` instead of names.
  [[nodiscard]] std::vector<Row> rows(std::size_t everybody, const std::string& all_of_them) const {
    std::vector<Row> out;
    for (const auto& [row, whom] : rows_) {
      out.push_back({owners_text(whom, everybody, all_of_them)});
      out.back().insert(out.back().end(), row.begin(), row.end());
    }
    return out;
  }

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
  std::set<std::string> names;
  for (const Run& run : runs)
    for (const Host& h : run.head.hosts) names.insert(h.name);
  return names.size();
}

/// Fills a table with the rows of all hosts. `add_rows(run, host, add)` calls add(row) for each row of a host.
Table fill_by_host(const Material& material, Table table, const auto& add_rows) {
  SharedRows shared;
  for (const Run& run : material.runs())
    for (const Host& h : run.head.hosts) add_rows(run.head, h, [&](const Row& row) { shared.add(row, h.name); });
  table.rows = shared.rows(host_count(material.runs()), "all hosts");
  return table;
}

/// The same with the rows of all runs: `add_rows(run, add)`.
Table fill_by_run(const Material& material, Table table, const auto& add_rows) {
  SharedRows shared;
  for (std::size_t i = 0; i < material.runs().size(); ++i)
    add_rows(material.runs()[i], [&](const Row& row) { shared.add(row, material.names()[i]); });
  table.rows = shared.rows(material.runs().size(), "all runs");
  return table;
}

std::string processors(const Host& h) {
  return fmt::format("{}; {} sockets, {} cores, {} threads", text(h.cpu_model), text(h.sockets), text(h.cores),
                     text(h.threads));
}

/// Hosts that differ only in name share a row.
Table hosts_table(const Material& material) {
  return fill_by_host(
      material,
      {.title = "Hosts",
       .columns = {{"hosts"}, {"processors"}, {"memory"}, {"system"}, {"kernel"}, {"virtualisation"}, {"container"}}},
      [](const RunRecord&, const Host& h, const auto& add) {
        if (only_named(h)) return;
        add({processors(h), memory_text(h.memory_bytes), text(h.os), text(h.kernel), h.virtualisation,
             h.container.value_or("none seen")});
      });
}

std::string on_off(std::optional<bool> on) { return !on ? std::string(unknown) : *on ? "on" : "off"; }

/// Host settings that affect CPU speed or clock resolution.
Table environment_settings_table(const Material& material) {
  return fill_by_host(material,
                      {.title = "Processor and kernel settings",
                       .columns = make_columns({{ColumnKind::text,
                                                 {"hosts", "CPU governor", "frequency driver", "turbo", "SMT",
                                                  "CPU quota", "clock source", "transparent huge pages"}}})},
                      [](const RunRecord&, const Host& h, const auto& add) {
                        if (only_named(h)) return;
                        add({text(h.governor), text(h.cpufreq_driver), on_off(h.turbo), on_off(h.smt),
                             h.cpu_quota ? fmt::format("{:g} CPUs", *h.cpu_quota) : "none seen", text(h.clock_source),
                             text(h.transparent_huge_pages)});
                      });
}

Table named_hosts_table(const Material& material) {
  return fill_by_run(material, {.title = "Hosts known only by name", .columns = {{"runs"}, {"hosts"}}},
                     [](const Run& run, const auto& add) {
                       Row hosts;
                       for (const Host& h : run.head.hosts)
                         if (only_named(h)) hosts.push_back(h.name);
                       if (!hosts.empty()) add({list(hosts, 16)});
                     });
}

Table nics_table(const Material& material) {
  return fill_by_host(
      material,
      {.title = "Network interfaces",
       .columns = {{"hosts"}, {"interface"}, {"kind"}, {"driver"}, {"state"}, {"speed"}, {"MTU", number}}},
      [](const RunRecord&, const Host& h, const auto& add) {
        for (const NetworkInterface& n : h.interfaces)
          add({n.name, text_of(n.kind), text(n.driver), text(n.state), gbit(n.speed_Gbps), text(n.mtu)});
        for (const RdmaPort& p : h.rdma)
          add({fmt::format("{} port {}", p.device, p.port), "RDMA, " + p.link_layer.value_or("link unknown"), "",
               text(p.state), gbit(p.rate_Gbps), ""});
      });
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

Table gpus_table(const Material& material) {
  return fill_by_host(material, {.title = "GPUs", .columns = {{"hosts"}, {"GPUs"}, {"driver"}}},
                      [](const RunRecord& run, const Host& h, const auto& add) {
                        for (const auto& [model, n] : gpu_models(run, h))
                          add({fmt::format("{} x {}", n, model), text(h.gpu_driver)});
                      });
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

/// Values that several hosts, runs or devices share, with the names of these.
template <class Value>
using Shared = std::vector<std::pair<Value, Row>>;

/// The names beside a value, to be added to; none yet if it is new.
template <class Value>
Row& owners_of(Shared<Value>& all, const Value& value) {
  const auto at = std::ranges::find(all, value, &std::pair<Value, Row>::first);
  return at == all.end() ? all.emplace_back(value, Row{}).second : at->second;
}

/// GPUs of a host with equal settings share a row. Omits GPUs known only by name.
Table gpu_settings_table(const Material& material) {
  return fill_by_host(
      material,
      {.title = "GPU settings",
       .columns = make_columns({{ColumnKind::text,
                                 {"hosts", "GPUs", "memory", "MIG", "virtualisation", "ECC", "persistence",
                                  "compute mode", "power limit", "highest SM clock", "link to the host", "NVLinks up"}},
                                {number, {"NUMA node"}}})},
      [nothing = gpu_row(Gpu{})](const RunRecord&, const Host& h, const auto& add) {
        Shared<Row> alike;
        for (std::size_t i = 0; i < h.gpus.size(); ++i)
          if (const Row row = gpu_row(h.gpus[i]); row != nothing)
            owners_of(alike, row).push_back(fmt::format("GPU{}", i));
        for (auto& [row, gpus] : alike) {
          row.insert(row.begin(), list(gpus, 16));
          add(row);
        }
      });
}

/// IOMMU, ATS and ACS per device. "unknown": only root can read it.
Table pci_table(const Material& material) {
  return fill_by_host(
      material,
      {.title = "IOMMU and PCI",
       .columns = make_columns({{ColumnKind::text,
                                 {"hosts", "IOMMU", "devices", "address translation services (ATS)",
                                  "transfers between devices pass the host bridge (ACS)"}}})},
      [](const RunRecord&, const Host& h, const auto& add) {
        const auto yes_no = [](std::optional<bool> yes) { return !yes ? std::string(unknown) : *yes ? "yes" : "no"; };
        const auto cells = [&](const auto& device) { return Row{on_off(device.ats), yes_no(device.acs_redirect)}; };
        Shared<Row> alike;
        for (std::size_t i = 0; i < h.gpus.size(); ++i)
          owners_of(alike, cells(h.gpus[i])).push_back(fmt::format("GPU{}", i));
        for (const RdmaPort& p : h.rdma)
          owners_of(alike, cells(p)).push_back(fmt::format("{} port {}", p.device, p.port));
        if (alike.empty() && h.iommu) alike.push_back({{"", ""}, {}});
        for (const auto& [row, devices] : alike)
          if (h.iommu || row != Row{std::string(unknown), std::string(unknown)})
            add({text(h.iommu), list(devices, 16), row[0], row[1]});
      });
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
std::vector<Block> gpu_links_tables(const Material& material) {
  Shared<std::vector<Row>> shared;
  for (const Run& run : material.runs()) {
    for (const Host& h : run.head.hosts) {
      if (!h.gpu_links || h.gpu_links->columns.empty()) continue;
      Row& hosts = owners_of(shared, link_rows(*h.gpu_links));
      if (std::ranges::find(hosts, h.name) == hosts.end()) hosts.push_back(h.name);
    }
  }
  std::vector<Block> all;
  const std::size_t everybody = host_count(material.runs());
  for (const auto& [rows, hosts] : shared) {
    Table t{.title = "GPU links: " + owners_text(hosts, everybody, "all hosts"),
            .columns = {{""}},
            .rows = {rows.begin() + 1, rows.end()},
            .folded = shared.size() > 2};
    for (const std::string& device : rows.front()) t.columns.push_back({device});
    all.emplace_back(std::move(t));
  }
  if (!all.empty())
    all.emplace_back(
        Paragraph{"Path between two devices: X the same device; NV and a number, that many NVLinks; PIX at most one "
                  "PCIe switch; PXB several PCIe switches; PHB a host bridge; NODE host bridges of one NUMA node; SYS "
                  "the link between NUMA nodes."});
  return all;
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

/// "yield their CPU (requested by busbar)".
std::string yields_text(const RunRecord& r) {
  if (!r.mpi || !r.mpi->yields) return std::string(unknown);
  const bool requested = r.mpi->yield_asked_by && *r.mpi->yield_asked_by != "nobody";
  return fmt::format("{} their CPU{}", *r.mpi->yields ? "yield" : "keep",
                     requested ? fmt::format(" (requested by {})", *r.mpi->yield_asked_by) : "");
}

Table software_table(const Material& material) {
  Table t =
      fill_by_run(material,
                  {.title = "Software",
                   .columns = make_columns({{ColumnKind::text, {"runs", "tool"}},
                                            {ColumnKind::code, {"revision"}},
                                            {ColumnKind::text, {"built with", "MPI", "waiting ranks", "libraries"}}})},
                  [](const Run& run, const auto& add) {
                    const RunRecord& r = run.head;
                    std::string mpi(unknown);
                    if (r.mpi)
                      mpi = fmt::format("{} (MPI {}, {})", r.mpi->library, r.mpi->standard, r.mpi->thread_level);
                    add({fmt::format("{} {}", r.tool.name, text(r.tool.version)), text(r.tool.revision),
                         built_with(r.tool), mpi, yields_text(r), libraries(r)});
                  });
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

Table clocks_table(const Material& material) {
  return fill_by_run(
      material,
      {.title = "Clocks and OS noise",
       .columns =
           {{"runs"}, {"timer"}, {"rank clocks"}, {"during the run"}, {"OS noise before the run"}, {"rank settling"}}},
      [](const Run& run, const auto& add) {
        const RunRecord& r = run.head;
        if (r.timer || r.clock || !r.noise.empty())
          add({timer(r), synchronisation(r), clock_checks(run), noise(r), settling(run)});
      });
}

Table variables_table(const Material& material) {
  Table t = fill_by_run(material,
                        {.title = "Recorded environment variables",
                         .columns = {{"runs"}, {"variable", ColumnKind::code}, {"value", ColumnKind::code}}},
                        [](const Run& run, const auto& add) {
                          for (const auto& [key, value] : run.head.environment) add({key, value});
                        });
  std::ranges::sort(t.rows, {}, [](const Row& row) { return std::tie(row[1], row[2], row[0]); });
  return t;
}

Table commands_table(const Material& material) {
  return fill_by_run(material,
                     {.title = "Command lines",
                      .columns = {{"runs"}, {"command", ColumnKind::code}, {"imported from", ColumnKind::code}}},
                     [](const Run& run, const auto& add) {
                       std::string command;
                       for (const auto& word : run.head.argv) command += (command.empty() ? "" : " ") + word;
                       const std::string source = run.head.source.value_or("");
                       if (!command.empty() || !source.empty())
                         add({command.empty() ? std::string(unknown) : command, source});
                     });
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
std::vector<Block> binding_tables(const Material& material) {
  const auto& runs = material.runs();
  Shared<std::vector<Row>> shared;
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (const auto rows = placement_rows(runs[i].head); !rows.empty())
      owners_of(shared, rows).push_back(material.names()[i]);
  std::vector<Block> all;
  for (const auto& [rows, names] : shared)
    all.emplace_back(
        Table{.title = "Ranks and binding: " + owners_text(names, runs.size(), "all runs"),
              .columns = {{"rank", number}, {"host"}, {"local rank", number}, {"CPUs"}, {"binding"}, {"GPU"}},
              .rows = rows,
              .folded = rows.size() > 8 || shared.size() > 2});
  return all;
}

std::vector<Block> environment_facts_blocks(const Material& material) {
  std::vector<Block> all;
  for (const auto make :
       {hosts_table, environment_settings_table, named_hosts_table, nics_table, gpus_table, gpu_settings_table,
        pci_table, software_table, clocks_table, commands_table, variables_table}) {
    Table t = make(material);
    t.folded = t.rows.size() > 12;
    if (!t.rows.empty()) all.emplace_back(std::move(t));
  }
  std::ranges::move(gpu_links_tables(material), std::back_inserter(all));
  std::ranges::move(binding_tables(material), std::back_inserter(all));
  return all;
}

}  // namespace

}  // namespace busbar::report

namespace busbar {

extern const report::Section environment_facts{
    .name = "environment", .title = "Environment", .blocks = report::environment_facts_blocks, .folded = true};

}  // namespace busbar
