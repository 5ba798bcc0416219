// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/environment/host.hpp"
#include "core/files/kernel_files.hpp"

/// Where PCI devices sit, by the folders of /sys. `root` as for read_host().
namespace busbar::facts {

/// "0000:1b:00.0" for any way of writing that address ("00000000:1B:00.0"): as the kernel does. Empty: it is none.
[[nodiscard]] std::optional<std::string> pci_address(std::string_view text);

/// The PCI device of a folder like /sys/class/infiniband/mlx5_0; of a virtio device, the one it is on. Empty: none is.
[[nodiscard]] std::optional<std::string> pci_device_of(const Path& folder);

/// A PCI device's place in the tree.
struct PciPlace {
  std::vector<std::string> way;  ///< from its host bridge ("pci0000:15") over bridges to itself
  std::optional<int> numa_node;  ///< empty where the platform does not tell
};
[[nodiscard]] std::optional<PciPlace> pci_place(const Path& root, const std::string& address);

/// What a transfer between two devices passes, as nvidia-smi topo -m writes it:
/// PIX one PCIe switch at most; PXB several; PHB the processor's host bridge; NODE several host bridges of a NUMA node;
/// SYS the link between NUMA nodes; X the device itself. Empty: in different host bridges of nodes that are not known.
/// `one_node`: the host has one NUMA node.
[[nodiscard]] std::optional<std::string> distance(const PciPlace& a, const PciPlace& b, bool one_node);

/// PCIe generation, width and NUMA node of GPUs, where the kernel tells and they are not known yet.
void add_pci_facts(const Path& root, std::vector<Gpu>& gpus);

/// Distances of the host's GPUs to each other and to its network devices; empty without GPUs or without /sys.
[[nodiscard]] std::optional<GpuLinks> gpu_links(const Path& root, const Host& host);

}  // namespace busbar::facts
