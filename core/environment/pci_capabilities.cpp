// SPDX-License-Identifier: Apache-2.0
#include "core/environment/pci_capabilities.hpp"

#include <cstdint>
#include <set>
#include <string_view>

#include "core/environment/pci.hpp"

namespace busbar::facts {
namespace {

// PCI_EXT_CAP_ID_ACS, PCI_EXT_CAP_ID_ATS, PCI_ACS_RR | PCI_ACS_CR | PCI_ACS_EC, PCI_ATS_CTRL_ENABLE of pci_regs.h
constexpr std::uint32_t acs_id = 0x0D, ats_id = 0x0F;
constexpr std::uint32_t acs_redirects = 0x04 | 0x08 | 0x20, ats_enable = 0x8000;
constexpr std::size_t control_at = 6;  ///< PCI_ACS_CTRL and PCI_ATS_CTRL, in bytes from the capability

constexpr std::size_t extended_begin = 0x100, extended_end = 0x1000;

/// Little-endian value of `bytes` bytes.
std::uint32_t value_at(std::string_view config, std::size_t at, std::size_t bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = bytes; i-- > 0;) value = value << 8 | static_cast<unsigned char>(config[at + i]);
  return value;
}

/// Control word of an extended capability; 0 if the device lacks it. Empty if extended config space is not readable.
std::optional<std::uint32_t> control_of(const Path& root, const std::string& address, std::uint32_t id) {
  const auto config = read_text(root / "sys/bus/pci/devices" / address / "config");
  if (!config || config->size() < extended_end) return std::nullopt;
  static constexpr std::size_t most = (extended_end - extended_begin) / 8;  // bounds a cyclic list
  std::size_t at = extended_begin;
  for (std::size_t i = 0; i < most && at >= extended_begin && at + 8 <= extended_end; ++i) {
    const std::uint32_t header = value_at(*config, at, 4);
    if (header == 0 || header == 0xFFFFFFFF) break;
    if ((header & 0xFFFF) == id) return value_at(*config, at + control_at, 2);
    at = header >> 20 & 0xFFC;
  }
  return 0;
}

}  // namespace

std::optional<bool> ats(const Path& root, const std::string& address) {
  const auto control = control_of(root, address, ats_id);
  return control ? std::optional((*control & ats_enable) != 0) : std::nullopt;
}

std::optional<bool> acs_redirect(const Path& root, const std::string& address) {
  const auto place = pci_place(root, address);
  if (!place || place->way.size() < 3) return std::nullopt;
  std::optional<bool> redirects = false;
  for (std::size_t i = 1; i + 1 < place->way.size(); ++i) {
    const auto control = control_of(root, place->way[i], acs_id);
    if (control && (*control & acs_redirects) != 0) return true;
    if (!control) redirects.reset();
  }
  return redirects;
}

void add_pci_capabilities(const Path& root, Host& host) {
  for (Gpu& gpu : host.gpus) {
    const auto address = gpu.bus ? pci_address(*gpu.bus) : std::nullopt;
    if (!address) continue;
    gpu.ats = ats(root, *address);
    gpu.acs_redirect = acs_redirect(root, *address);
  }
  for (RdmaPort& port : host.rdma) {
    const auto address = pci_device_of(root / "sys/class/infiniband" / port.device);
    if (!address) continue;
    port.ats = ats(root, *address);
    port.acs_redirect = acs_redirect(root, *address);
  }
}

std::optional<std::string> iommu(const Path& root) {
  const Path groups = root / "sys/kernel/iommu_groups";
  if (!is_there(groups)) return std::nullopt;
  const auto names = entries(groups);
  if (names.empty()) return "none";
  std::set<std::string> types;
  for (const std::string& group : names)
    if (const auto type = line(groups / group / "type")) types.insert(*type);
  std::string all;
  for (const std::string& type : types) all += (all.empty() ? "" : ", ") + type;
  return all.empty() ? "unknown type" : all;
}

}  // namespace busbar::facts
