// SPDX-License-Identifier: Apache-2.0
#include "core/environment/environment.hpp"

#include "core/base/words.hpp"
#include "core/environment/facts.hpp"
#include "core/environment/pci.hpp"

namespace busbar {
namespace {

/// PRETTY_NAME of os-release.
std::optional<std::string> os_name(const std::filesystem::path& root) {
  auto release = facts::read_text(root / "etc/os-release");
  if (!release) release = facts::read_text(root / "usr/lib/os-release");
  if (!release) return std::nullopt;
  const auto name = facts::value_of(*release, "PRETTY_NAME", '=');
  return name ? std::optional(facts::clean(std::string(unquoted(*name)))) : std::nullopt;
}

}  // namespace

Host read_host(const std::filesystem::path& root) {
  Host host;
  const auto name = facts::line(root / "proc/sys/kernel/hostname");
  host.name = name ? *name : facts::line(root / "etc/hostname").value_or("unknown");
  facts::read_cpu(root, host);
  facts::read_speed(root, host);
  host.memory_bytes = facts::total_memory(root);
  host.kernel = facts::line(root / "proc/sys/kernel/osrelease");
  host.os = os_name(root);
  host.virtualisation = facts::virtualisation(root);
  host.container = facts::container(root);
  host.lab = facts::line(root / "run/busbar-lab");
  host.iommu = facts::iommu(root);
  host.interfaces = facts::interfaces(root);
  host.rdma = facts::rdma_ports(root);
  host.gpus = facts::gpus(root);
  host.gpu_driver = facts::gpu_driver(root);
  facts::add_pci_facts(root, host.gpus);
  facts::add_pci_capabilities(root, host);
  host.gpu_links = facts::gpu_links(root, host);
  return host;
}

}  // namespace busbar
