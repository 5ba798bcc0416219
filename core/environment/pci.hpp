// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/environment/host.hpp"
#include "core/files/kernel_files.hpp"

/// PCI topology, address translation and access control, from /sys. `root` as in read_host().
///
/// Address translation (ATS) and access control (ACS) of devices are in configuration space,
/// /sys/bus/pci/devices/ADDRESS/config. Users other than root can read only its first 64 bytes; these two are then
/// unknown. Capability ids and bits: PCI Express Base Specification, with the names in Linux'
/// include/uapi/linux/pci_regs.h.
namespace busbar::facts {

/// The address in the kernel's format, "0000:1b:00.0", e.g. for "00000000:1B:00.0"; empty if `text` is not an address.
[[nodiscard]] std::optional<std::string> pci_address(std::string_view text);

/// The PCI device of a folder such as /sys/class/infiniband/mlx5_0; for a virtio device, its parent. Empty if none.
[[nodiscard]] std::optional<std::string> pci_device_of(const Path& folder);

/// A PCI device's position in the tree.
struct PciPlace {
  std::vector<std::string> way;  ///< from its host bridge ("pci0000:15") through bridges to the device
  std::optional<int> numa_node;  ///< empty if the platform does not report it
};
[[nodiscard]] std::optional<PciPlace> pci_place(const Path& root, const std::string& address);

/// Topology between two devices in the words of nvidia-smi topo -m: PIX at most one PCIe switch; PXB several; PHB the
/// host bridge; NODE several host bridges of a NUMA node; SYS the link between NUMA nodes; X the device itself. Empty
/// for different host bridges with unknown NUMA nodes. `one_node`: the host has one NUMA node.
[[nodiscard]] std::optional<std::string> distance(const PciPlace& a, const PciPlace& b, bool one_node);

/// Fills in PCIe generation, width and NUMA node of GPUs from the kernel, unless already known.
void add_pci_facts(const Path& root, std::vector<Gpu>& gpus);

/// Topology between the host's GPUs and to its network devices; empty without GPUs or without /sys.
[[nodiscard]] std::optional<GpuLinks> gpu_links(const Path& root, const Host& host);

/// True if address translation services (ATS) are enabled: the device caches IOMMU translations and may send to its
/// peers directly. Empty if not readable.
[[nodiscard]] std::optional<bool> ats(const Path& root, const std::string& address);

/// True if a bridge above the device redirects peer-to-peer requests or completions to the host bridge (access control
/// services: P2P request redirect, completion redirect or egress control), so that transfers between PCI devices pass
/// through the processor. Like pci_bridge_has_acs_redir() in Linux' drivers/pci/p2pdma.c. Empty if no bridge is above
/// it, as on many virtual machines, or if one is not readable and no other redirects.
[[nodiscard]] std::optional<bool> acs_redirect(const Path& root, const std::string& address);

/// Fills in both for the host's GPUs and RDMA ports.
void add_pci_capabilities(const Path& root, Host& host);

/// Types of the IOMMU's groups ("DMA", "DMA-FQ", "identity"; joined by ", "), "none" without groups, "unknown type" if
/// groups report no type; empty if /sys has no such folder. Source: Linux,
/// Documentation/ABI/testing/sysfs-kernel-iommu_groups.
[[nodiscard]] std::optional<std::string> iommu(const Path& root);

}  // namespace busbar::facts
