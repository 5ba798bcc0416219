// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/units.hpp"
#include "core/record/rank_place.hpp"
#include "core/record/run_record.hpp"
#include "reports/compare/fields.hpp"

namespace busbar::compare {
namespace {

std::string fact_text(const std::optional<std::string>& s) { return s.value_or(""); }
std::string fact_text(std::optional<int> n) { return n ? std::to_string(*n) : ""; }
std::string on_or_off(std::optional<bool> b) { return b ? (*b ? "on" : "off") : ""; }
std::string gbit(std::optional<double> rate) { return rate ? fmt::format("{:g} Gb/s", *rate) : "unknown rate"; }

/// Distinct values over all hosts: "A, B".
template <class Value>
std::string over_hosts(const RunRecord& r, Value value) {
  std::set<std::string> all;
  for (const Host& h : r.hosts) {
    if (std::string s = value(h); !s.empty()) all.insert(std::move(s));
  }
  return fmt::format("{}", fmt::join(all, ", "));
}

/// Items with their counts: "4 x NVIDIA A100, 1 x T4". `text`: of an item; empty: it does not count.
template <class Items, class Text>
std::string counted(const Items& items, Text text) {
  std::map<std::string, int> counts;
  for (const auto& item : items)
    if (const std::optional<std::string> s = text(item)) ++counts[*s];
  std::string all;
  for (const auto& [item, times] : counts) all += fmt::format("{}{} x {}", all.empty() ? "" : ", ", times, item);
  return all;
}

std::string gpus(const Host& h) {
  return counted(h.gpus, [](const Gpu& g) { return g.name; });
}

/// GPU models of the hosts, or of the ranks if the hosts' are unknown (imported logs).
std::string gpu_models(const RunRecord& r) {
  if (std::string s = over_hosts(r, gpus); !s.empty()) return s;
  return counted(r.placement, [](const RankPlace& p) { return p.device; });
}

std::string rdma(const Host& h) {
  return counted(h.rdma, [](const RdmaPort& p) {
    return fmt::format("{} {} {}", p.link_layer.value_or("RDMA"), gbit(p.rate_Gbps), p.state.value_or(""));
  });
}

std::string network(const Host& h) {
  return counted(h.interfaces, [](const NetworkInterface& i) -> std::optional<std::string> {
    if (i.kind == InterfaceKind::without_device || !i.is_up()) return std::nullopt;
    return fmt::format("{} {} mtu {}", i.driver.value_or(text_of(i.kind)), gbit(i.speed_Gbps), fact_text(i.mtu));
  });
}

std::string pcie(const Host& h) {
  return counted(h.gpus, [](const Gpu& g) -> std::optional<std::string> {
    if (!g.pcie_gen || !g.pcie_width) return std::nullopt;
    return fmt::format("gen {} x{}", *g.pcie_gen, *g.pcie_width);
  });
}

std::string nvlink(const Host& h) {
  return counted(h.gpus, [](const Gpu& g) -> std::optional<std::string> {
    if (!g.nvlinks) return std::nullopt;
    return fmt::format("{} links {}", *g.nvlinks, fact_text(g.nvlink_version));
  });
}

std::string links_between(const Host& h) {
  if (!h.gpu_links) return "";
  std::set<std::string> words;
  for (const auto& row : h.gpu_links->rows) {
    for (const auto& word : row) {
      if (word && *word != "X") words.insert(*word);
    }
  }
  return fmt::format("{}", fmt::join(words, " "));
}

template <class T>
std::string gpu_setting(const Host& h, std::optional<T> Gpu::* member) {
  std::set<std::string> all;
  for (const Gpu& g : h.gpus) {
    if (g.*member) all.insert(fmt::format("{}", *(g.*member)));
  }
  return fmt::format("{}", fmt::join(all, ", "));
}

std::string processor(const Host& h) {
  if (!h.cpu_model) return "";
  return fmt::format("{}, {} sockets, {} cores", *h.cpu_model, fact_text(h.sockets), fact_text(h.cores));
}

std::string binding(const RunRecord& r) {
  const auto known = std::ranges::count_if(r.placement, [](const RankPlace& p) { return p.bound.has_value(); });
  const auto bound = std::ranges::count_if(r.placement, [](const RankPlace& p) { return p.bound.value_or(false); });
  if (known == 0) return "";
  return bound == known ? "bound" : bound == 0 ? "not bound" : fmt::format("{} of {} ranks bound", bound, known);
}

std::string tool(const RunRecord& r) {
  return fmt::format("{} {} {}", r.tool.name, fact_text(r.tool.version), fact_text(r.tool.revision));
}

/// Facts of each host.
template <auto of>
std::string hosts(const RunRecord& r) {
  return over_hosts(r, of);
}
template <auto member>
std::string host_text(const RunRecord& r) {
  return over_hosts(r, [](const Host& h) { return fact_text(h.*member); });
}
template <auto member>
std::string host_switch(const RunRecord& r) {
  return over_hosts(r, [](const Host& h) { return on_or_off(h.*member); });
}
template <auto member>
std::string gpu_fact(const RunRecord& r) {
  return over_hosts(r, [](const Host& h) { return gpu_setting(h, member); });
}

constexpr std::array fact_rows{
    FactField{"origin", Tier::machine, [](const RunRecord& r) -> std::string { return text_of(r.origin); }},
    FactField{"tool", Tier::machine, tool},
    FactField{"scale", Tier::machine, scale_text},
    FactField{"virtualisation", Tier::machine,
              [](const RunRecord& r) -> std::string {
                return over_hosts(r,
                                  [](const Host& h) { return h.virtualisation == "unknown" ? "" : h.virtualisation; });
              }},
    FactField{"gpu", Tier::machine, gpu_models},
    FactField{"rdma", Tier::machine, hosts<rdma>},
    FactField{"network", Tier::machine, hosts<network>},
    FactField{"gpu_links", Tier::machine, hosts<links_between>},
    FactField{"nvlink", Tier::machine, hosts<nvlink>},
    FactField{"pcie", Tier::machine, hosts<pcie>},
    FactField{"mig", Tier::machine, gpu_fact<&Gpu::mig>},
    FactField{"gpu_virtualisation", Tier::machine, gpu_fact<&Gpu::virtualisation>},
    FactField{"iommu", Tier::machine, host_text<&Host::iommu>},
    FactField{"ats", Tier::machine, gpu_fact<&Gpu::ats>},
    FactField{"acs_redirect", Tier::machine, gpu_fact<&Gpu::acs_redirect>},
    FactField{"power_limit_W", Tier::machine, gpu_fact<&Gpu::power_limit_W>},
    FactField{"sm_clock_max_MHz", Tier::machine, gpu_fact<&Gpu::sm_clock_max_MHz>},
    FactField{"gpu_driver", Tier::library, host_text<&Host::gpu_driver>},
    FactField{"mpi", Tier::library, [](const RunRecord& r) -> std::string { return r.mpi ? r.mpi->library : ""; }},
    FactField{"binding", Tier::setting, binding},
    FactField{"yields", Tier::setting,
              [](const RunRecord& r) -> std::string { return r.mpi ? on_or_off(r.mpi->yields) : ""; }},
    FactField{"cpu", Tier::machine, hosts<processor>},
    FactField{"governor", Tier::system, host_text<&Host::governor>},
    FactField{"turbo", Tier::system, host_switch<&Host::turbo>},
    FactField{"smt", Tier::system, host_switch<&Host::smt>},
    FactField{"clock_source", Tier::system, host_text<&Host::clock_source>},
    FactField{"kernel", Tier::system, host_text<&Host::kernel>},
    FactField{"os", Tier::system, host_text<&Host::os>},
    FactField{"container", Tier::system, host_text<&Host::container>},
    FactField{"huge_pages", Tier::system, host_text<&Host::transparent_huge_pages>},
    FactField{"check", Tier::setting, [](const RunRecord& r) -> std::string { return r.method.check; }},
};

}  // namespace

std::span<const FactField> fact_fields() { return fact_rows; }

std::vector<std::string> field_names() {
  std::vector<std::string> all;
  const auto add = [&all](const auto& table) {
    for (const auto& field : table)
      if (std::ranges::count(all, field.name) == 0) all.emplace_back(field.name);
  };
  add(key_fields()), add(method_fields()), add(fact_fields());
  return all;
}

}  // namespace busbar::compare
