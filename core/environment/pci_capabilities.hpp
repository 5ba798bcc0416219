// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "core/environment/host.hpp"
#include "core/files/kernel_files.hpp"

/// Address translation and access control of PCI devices. `root` as in read_host().
///
/// Read from configuration space, /sys/bus/pci/devices/ADDRESS/config. Users other than root can read only its first 64
/// bytes; all of this is then unknown. Capability ids and bits: PCI Express Base Specification, with the names in
/// Linux' include/uapi/linux/pci_regs.h.
/// Specification, as named in Linux' include/uapi/linux/pci_regs.h.
namespace busbar::facts {

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
