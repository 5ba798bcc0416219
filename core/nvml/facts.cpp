// SPDX-License-Identifier: Apache-2.0
#include "core/nvml/facts.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "core/environment/pci.hpp"

namespace busbar::nvml {
namespace {

/// Sets `fact` from another source if it is empty.
template <class T>
void fill(std::optional<T>& fact, const std::optional<T>& other) {
  if (!fact) fact = other;
}

bool same(const Gpu& a, const Gpu& b) {
  if (a.uuid && b.uuid) return a.uuid == b.uuid;
  return a.bus && b.bus && facts::pci_address(*a.bus) == facts::pci_address(*b.bus);
}

/// Prefers NVML's facts to the kernel's, except for the NUMA node, which only the kernel reports.
void merge(Gpu& known, const Gpu& told) {
  Gpu both = told;
  both.name = known.name == "unknown" ? told.name : known.name;
  if (known.bus) both.bus = known.bus;
  fill(both.uuid, known.uuid);
  fill(both.pcie_gen, known.pcie_gen);
  fill(both.pcie_width, known.pcie_width);
  fill(both.pcie_gen_max, known.pcie_gen_max);
  fill(both.pcie_width_max, known.pcie_width_max);
  both.numa_node = known.numa_node;
  known = both;
}

/// A GPU of the host, with its links according to NVML.
struct Node {
  std::optional<Device> device;
  std::optional<std::string> bus;
  std::vector<Link> links;
};

int links_to_switches(const Node& node) {
  return static_cast<int>(std::ranges::count_if(node.links, &Link::to_switch));
}

/// Number of NVLinks between `a` and `b`: direct ones, plus the smaller number of their links to switches.
int links_between(const Node& a, const Node& b) {
  const auto direct = std::ranges::count_if(
      a.links, [&](const Link& link) { return !link.to_switch && link.remote && link.remote == b.bus; });
  return static_cast<int>(direct) + std::min(links_to_switches(a), links_to_switches(b));
}

void add_links(GpuLinks& links, const std::vector<Node>& nodes) {
  for (std::size_t row = 0; row < nodes.size(); ++row)
    for (std::size_t column = 0; column < nodes.size(); ++column) {
      const Node& a = nodes[row];
      const Node& b = nodes[column];
      if (row == column || !a.device || !b.device) continue;
      auto& word = links.rows[row][column];
      if (const int up = links_between(a, b); up > 0)
        word = fmt::format("NV{}", up);
      else
        fill(word, a.device->way_to(*b.device));
    }
}

/// Without information in /sys: only GPUs.
GpuLinks blank(std::size_t gpus) {
  GpuLinks links;
  for (std::size_t i = 0; i < gpus; ++i) {
    links.columns.push_back(fmt::format("GPU{}", i));
    links.rows.emplace_back(gpus);
    links.rows.back()[i] = "X";
  }
  return links;
}

}  // namespace

Gpu gpu_facts(const Device& device) {
  const GpuLimits limits = device.limits();
  return {.name = device.name().value_or("unknown"),
          .bus = device.bus(),
          .uuid = limits.uuid,
          .memory_bytes = device.memory_bytes(),
          .mig = device.mig(),
          .virtualisation = device.virtualisation(),
          .ecc = device.ecc(),
          .persistence = device.persistence(),
          .compute_mode = device.compute_mode(),
          .power_limit_W = limits.power_limit_W,
          .sm_clock_max_MHz = limits.sm_clock_max_MHz,
          .memory_clock_max_MHz = limits.memory_clock_max_MHz,
          .pcie_gen = device.pcie_gen(),
          .pcie_width = device.pcie_width(),
          .pcie_gen_max = limits.pcie_gen_max,
          .pcie_width_max = limits.pcie_width_max,
          .nvlinks = limits.nvlinks,
          .nvlink_version = limits.nvlink_version};
}

void add_gpu_facts(Host& host, const std::shared_ptr<const Library>& library, const std::filesystem::path& root) {
  fill(host.gpu_driver, library->driver_version());
  std::vector<Node> nodes(host.gpus.size());
  for (unsigned i = 0; i < library->devices(); ++i) {
    const auto device = Device::by_index(library, i);
    if (!device) continue;
    const Gpu told = gpu_facts(*device);
    auto known = std::ranges::find_if(host.gpus, [&](const Gpu& gpu) { return same(gpu, told); });
    if (known == host.gpus.end()) {
      known = host.gpus.insert(known, told);
      nodes.emplace_back();
    } else {
      merge(*known, told);
    }
    nodes[static_cast<std::size_t>(known - host.gpus.begin())] = {
        .device = device, .bus = device->bus(), .links = device->links().value_or(std::vector<Link>{})};
  }
  if (host.gpus.empty()) return;
  facts::add_pci_facts(root, host.gpus);
  facts::add_pci_capabilities(root, host);
  host.gpu_links = facts::gpu_links(root, host).value_or(blank(host.gpus.size()));
  add_links(*host.gpu_links, nodes);
}

}  // namespace busbar::nvml
