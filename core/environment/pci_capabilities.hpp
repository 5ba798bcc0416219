// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "core/environment/host.hpp"
#include "core/files/kernel_files.hpp"

/// What PCI devices do with addresses and with their neighbours' requests. `root` as for read_host().
///
/// Read from configuration space, /sys/bus/pci/devices/ADDRESS/config, of which the kernel gives only the first 64
/// bytes to users other than root: all of this is then not known. Capability ids and bits: PCI Express Base
/// Specification, as named in Linux' include/uapi/linux/pci_regs.h.
namespace busbar::facts {

/// True where address translation services (ATS) are enabled: the device keeps translations of the IOMMU itself, and
/// may then send to its neighbours directly. Empty: not readable.
[[nodiscard]] std::optional<bool> ats(const Path& root, const std::string& address);

/// True where a bridge above the device is told to send requests or completions between its neighbours up to the host
/// bridge (access control services: P2P request redirect, completion redirect or egress control), so that transfers
/// between two PCI devices pass the processor. As pci_bridge_has_acs_redir() of Linux' drivers/pci/p2pdma.c has it.
/// Empty: no bridge is above it, as on many virtual machines, or one is not readable.
[[nodiscard]] std::optional<bool> acs_redirect(const Path& root, const std::string& address);

/// Adds both to the host's GPUs and RDMA ports.
void add_pci_capabilities(const Path& root, Host& host);

/// How the IOMMU treats devices: the types of its groups ("DMA", "DMA-FQ", "identity"; joined by ", " where they
/// differ), "none" where it has no group, "unknown type" where groups do not tell; empty where /sys has no such folder.
/// Documentation/ABI/testing/sysfs-kernel-iommu_groups of Linux.
[[nodiscard]] std::optional<std::string> iommu(const Path& root);

}  // namespace busbar::facts
