// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "core/environment/facts.hpp"

namespace busbar::facts {
namespace {

struct Sign {
  std::string_view text, hypervisor;
};

template <std::size_t N>
std::optional<std::string> match(const std::array<Sign, N>& signs, std::string_view text) {
  for (const auto& sign : signs)
    if (text.find(sign.text) != std::string_view::npos) return std::string(sign.hypervisor);
  return std::nullopt;
}

/// Vendor and product names from the firmware, on one line; empty without DMI.
std::string dmi(const Path& root) {
  std::string all;
  for (const auto* name : {"sys_vendor", "product_name", "bios_vendor", "board_vendor"})
    if (const auto value = line(root / "sys/class/dmi/id" / name)) all += *value + "; ";
  return all;
}

/// Names that only this hypervisor's firmware has. (Real machines also have "Oracle Corporation" and "Microsoft
/// Corporation".)
constexpr std::array<Sign, 10> products{{{"VMware", "VMware"},
                                         {"VirtualBox", "VirtualBox"},
                                         {"innotek GmbH", "VirtualBox"},
                                         {"Microsoft Corporation; Virtual Machine", "Hyper-V"},
                                         {"Xen", "Xen"},
                                         {"HVM domU", "Xen"},
                                         {"Parallels", "Parallels"},
                                         {"BHYVE", "bhyve"},
                                         {"Cloud Hypervisor", "Cloud Hypervisor"},
                                         {"Apple Virtualization", "Apple Virtualization"}}};

/// Platforms whose virtual machines run on KVM. Some also offer bare metal under the same name.
constexpr std::array<std::string_view, 10> kvm_platforms{
    "KVM",           "OpenStack",   "KubeVirt", "oVirt", "RHEV", "Nutanix", "Amazon EC2", "Google Compute Engine",
    "Alibaba Cloud", "DigitalOcean"};

constexpr std::array<Sign, 11> signatures_known{{{"KVMKVMKVM", "KVM"},
                                                 {"Linux KVM Hv", "KVM"},
                                                 {"VMwareVMware", "VMware"},
                                                 {"XenVMMXenVMM", "Xen"},
                                                 {"TCGTCGTCGTCG", "QEMU"},
                                                 {"VBoxVBoxVBox", "VirtualBox"},
                                                 {"bhyve bhyve", "bhyve"},
                                                 {"prl hyperv", "Parallels"},
                                                 {"lrpepyh", "Parallels"},
                                                 {"ACRNACRNACRN", "ACRN"},
                                                 {"Apple VZ", "Apple Virtualization"}}};

constexpr std::array<Sign, 3> clocks{{{"kvm-clock", "KVM"}, {"hyperv_clocksource", "Hyper-V"}, {"xen", "Xen"}}};

constexpr std::array<Sign, 3> device_trees{{{"linux,kvm", "KVM"}, {"xen", "Xen"}, {"vmware", "VMware"}}};

/// The hypervisor flag of x86 processors; empty on other processors.
std::optional<bool> hypervisor_flag(const Path& root) {
  const std::string cpuinfo = read_text(root / "proc/cpuinfo").value_or("");
  const auto flags = value_of(cpuinfo, "flags", ':');
  if (!flags) return std::nullopt;
  const auto words = split(*flags, ' ');
  return std::find(words.begin(), words.end(), "hypervisor") != words.end();
}

/// OEM id (6 characters) in the header of an ACPI table. Only root can read the tables.
std::string acpi_oem(const Path& root) {
  static constexpr std::size_t header = 36, oem = 10, oem_length = 6;
  for (const auto* table : {"FACP", "APIC", "DSDT"})
    if (const auto all = read_text(root / "sys/firmware/acpi/tables" / table); all && all->size() >= header)
      return all->substr(oem, oem_length);
  return {};
}

/// Firecracker has no DMI. If its ACPI tables are not readable, its devices reveal it or, if it runs without PCI and
/// ACPI, the kernel command line that it passes.
bool looks_like_firecracker(const Path& root) {
  const std::string command = read_text(root / "proc/cmdline").value_or("");
  return is_there(root / "sys/bus/acpi/devices/AMZNC10C:00") || is_there(root / "sys/devices/platform/AMZNC10C:00") ||
         command.find("virtio_mmio.device=") != std::string::npos || command.find("pci=off") != std::string::npos;
}

std::optional<std::string> by_acpi(const Path& root, const std::string& firmware, std::optional<bool> flag) {
  const std::string oem = acpi_oem(root);
  if (oem == "FIRECK") return "Firecracker";
  if (oem == "CLOUDH") return "Cloud Hypervisor";
  if (oem.empty() && firmware.empty() && flag.value_or(true) && looks_like_firecracker(root)) return "Firecracker";
  return std::nullopt;
}

std::optional<std::string> by_processor(const Path& root) {
  return root == "/" ? named_by_signature(hypervisor_signatures()) : std::nullopt;  // a fake tree is not this machine
}

std::optional<std::string> by_kernel(const Path& root) {
  if (line(root / "sys/hypervisor/type") == "xen") return "Xen";
  const auto found = line(root / "sys/devices/system/clocksource/clocksource0/available_clocksource");
  return found ? match(clocks, *found) : std::nullopt;
}

std::optional<std::string> by_device_tree(const Path& root) {
  const auto compatible = read_text(root / "proc/device-tree/hypervisor/compatible");
  if (compatible) return match(device_trees, *compatible).value_or("unknown hypervisor");
  if (is_there(root / "proc/device-tree/fw-cfg@9020000")) return "QEMU";
  return std::nullopt;
}

/// True for the chassis of a real machine. Virtual machines report "other" (1) or "unknown" (2).
bool has_chassis(const Path& root) { return number(root / "sys/class/dmi/id/chassis_type").value_or(0) > 2; }

std::optional<std::string> by_platform(const std::string& firmware, std::optional<bool> flag) {
  const bool real = flag ? !*flag : firmware.find(".metal") != std::string::npos;
  const auto in_firmware = [&](std::string_view name) { return firmware.find(name) != std::string::npos; };
  if (!real && std::ranges::any_of(kvm_platforms, in_firmware)) return "KVM";
  if (in_firmware("QEMU")) return "QEMU";  // QEMU on KVM is detected above
  return std::nullopt;
}

}  // namespace

std::optional<std::string> named_by_signature(std::span<const std::string> signatures) {
  for (const auto& signature : signatures)
    if (auto name = match(signatures_known, signature)) return name;
  for (const auto& signature : signatures)
    if (signature == "Microsoft Hv") return "Hyper-V";
  return std::nullopt;
}

std::string virtualisation(const Path& root) {
  const std::string firmware = dmi(root);
  const std::optional<bool> flag = hypervisor_flag(root);
  if (auto found = by_acpi(root, firmware, flag)) return *found;
  if (auto found = match(products, firmware)) return *found;
  if (auto found = by_processor(root)) return *found;
  if (auto found = by_kernel(root)) return *found;
  if (auto found = by_platform(firmware, flag)) return *found;
  if (auto found = by_device_tree(root)) return *found;
  if (flag.value_or(false)) return "unknown hypervisor";
  const bool real = flag ? !firmware.empty() : has_chassis(root) || firmware.find(".metal") != std::string::npos;
  return real ? "bare metal" : "unknown";
}

}  // namespace busbar::facts
