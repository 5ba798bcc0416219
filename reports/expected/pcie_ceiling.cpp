// SPDX-License-Identifier: Apache-2.0

#include <fmt/core.h>

#include "reports/expected/ceiling.hpp"
#include "reports/expected/protocols.hpp"

namespace busbar::expected {
namespace {

constexpr auto between_gpus = "PCIe between GPUs of a node", to_network = "PCIe between GPUs and the network";

/// The link of one GPU, or the sum over a node's GPUs.
struct Link {
  DataRate rate;
  std::string source;
};
using Found = std::variant<Link, std::string>;

/// Negotiated width and maximum generation: an idle GPU lowers its generation until it has work again.
Found link_of(const GpuSet& set, std::size_t gpu) {
  const Gpu& g = set.host->gpus[gpu];
  const std::string name = name_of(set, gpu);
  if (!g.pcie_gen_max || !g.pcie_width) return name + ": its PCIe generation or width is unknown";
  const auto rate = pcie(*g.pcie_gen_max, *g.pcie_width);
  if (!rate) return fmt::format("{}: no figures for PCIe {} x{}", name, *g.pcie_gen_max, *g.pcie_width);
  std::string source = fmt::format("{}: PCIe {} x{}", name, *g.pcie_gen_max, *g.pcie_width);
  if (g.pcie_gen && g.pcie_gen != g.pcie_gen_max)
    source += fmt::format(" (maximum generation; {} when read, as an idle GPU may lower it)", *g.pcie_gen);
  return Link{.rate = *rate, .source = source};
}

/// The slowest link in the set.
Found least_of(const GpuSet& set) {
  std::optional<Link> least;
  for (const std::size_t gpu : set.gpus) {
    const auto found = link_of(set, gpu);
    if (std::holds_alternative<std::string>(found)) return found;
    if (const auto& link = std::get<Link>(found); !least || link.rate.GBps < least->rate.GBps) least = link;
  }
  return *least;
}

/// All GPUs of a node together: data leaving the node first leaves one of its GPUs.
Found sum_of_links(const GpuSet& set) {
  const auto least = least_of(set);
  if (std::holds_alternative<std::string>(least)) return least;
  Link sum = std::get<Link>(least);
  sum.rate.GBps = 0;
  for (const std::size_t gpu : set.gpus) sum.rate.GBps += std::get<Link>(link_of(set, gpu)).rate.GBps;
  if (set.gpus.size() > 1) sum.source = fmt::format("{} GPUs together, slowest {}", set.gpus.size(), sum.source);
  return sum;
}

/// The lowest ceiling over the hosts for which `passes`; empty if there is none.
template <class Passes>
std::vector<CeilingResult> lowest(const CeilingInput& p, const char* what, double share, Found (*of)(const GpuSet&),
                                  Passes passes) {
  const auto& sets = p.machine.gpus;
  if (const auto* why = std::get_if<std::string>(&sets)) return {Missing{.what = what, .why = *why}};
  std::optional<Link> least;
  for (const GpuSet& set : std::get<std::vector<GpuSet>>(sets)) {
    if (!passes(set)) continue;
    const auto found = of(set);
    if (const auto* why = std::get_if<std::string>(&found)) return {Missing{.what = what, .why = *why}};
    if (const auto& link = std::get<Link>(found); !least || link.rate.GBps < least->rate.GBps) least = link;
  }
  if (!least) return {};
  return {Ceiling{.busbw_GBps = busbw_at(least->rate.GBps, share, p.record),
                  .what = what,
                  .overhead = least->rate.overhead,
                  .source = fmt::format("{}; {:.2f} GB/s of data each way", least->source, least->rate.GBps)}};
}

std::vector<CeilingResult> of_pcie(const CeilingInput& p) {
  if (!on_own_gpus(p)) return {};
  std::vector<CeilingResult> all;
  const bool told = std::holds_alternative<std::vector<GpuSet>>(p.machine.gpus);
  if (told && p.traffic.rank.value_or(0) > 0)  // the NVLink ceiling already reports it as unknown
    all = lowest(p, between_gpus, *p.traffic.rank, least_of,
                 [](const GpuSet& set) { return set.gpus.size() > 1 && set.joined == Joined::by_pcie; });
  if (p.traffic.node.value_or(0) > 0)
    for (CeilingResult& f : lowest(p, to_network, *p.traffic.node, sum_of_links, [](const GpuSet&) { return true; }))
      all.push_back(std::move(f));
  return all;
}

}  // namespace
}  // namespace busbar::expected

namespace busbar {

extern const expected::Place pcie_ceiling{.name = "pcie", .findings = expected::of_pcie};

}  // namespace busbar
