// SPDX-License-Identifier: Apache-2.0
#include "core/environment/pci.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <set>

#include <fmt/core.h>

namespace busbar::facts {
namespace {

std::optional<unsigned> hexadecimal(std::string_view text) {
  unsigned value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (text.empty() || problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<int> positive(const std::optional<std::int64_t>& value) {
  return value && *value > 0 && *value < 1024 ? std::optional(static_cast<int>(*value)) : std::nullopt;
}

/// PCIe generation of a rate such as "32.0 GT/s PCIe" (PCI Express Base Specification, generations 1 to 6).
std::optional<int> generation(const Path& file) {
  static constexpr std::array<double, 6> rates{2.5, 5, 8, 16, 32, 64};
  const auto speed = line(file);
  if (!speed || speed->find("GT/s") == std::string::npos) return std::nullopt;
  const auto rate = std::ranges::find(rates, std::strtod(speed->c_str(), nullptr));
  return rate == rates.end() ? std::nullopt : std::optional(static_cast<int>(rate - rates.begin()) + 1);
}

/// Link width in lanes. 255 means unknown.
std::optional<int> width(const Path& file) {
  const auto lanes = positive(number(file));
  return lanes && *lanes <= 32 ? lanes : std::nullopt;
}

struct Nic {
  std::string name, address;
};

/// RDMA devices, and network interfaces that are not the same PCI device as one of them.
std::vector<Nic> nics(const Path& root) {
  std::vector<Nic> all;
  std::set<std::string> seen;
  for (const char* const kind : {"sys/class/infiniband", "sys/class/net"})
    for (const auto& name : entries(root / kind))
      if (const auto address = pci_device_of(root / kind / name); address && seen.insert(*address).second)
        all.push_back({.name = name, .address = *address});
  return all;
}

bool has_one_node(const Path& root) {
  return count_of(line(root / "sys/devices/system/node/online").value_or("")) == 1;
}

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

std::optional<std::string> pci_address(std::string_view text) {
  const auto parts = split(trimmed(text), ':');
  if (parts.size() != 3) return std::nullopt;
  const auto dot = parts[2].find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const auto domain = hexadecimal(parts[0]), bus = hexadecimal(parts[1]), device = hexadecimal(parts[2].substr(0, dot)),
             function = hexadecimal(parts[2].substr(dot + 1));
  if (!domain || !bus || !device || !function || *bus > 0xFF || *device > 0x1F || *function > 7) return std::nullopt;
  return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", *domain, *bus, *device, *function);
}

std::optional<std::string> pci_device_of(const Path& folder) {
  std::error_code problem;
  std::optional<std::string> address;
  for (const auto& part : std::filesystem::read_symlink(folder, problem))
    if (auto found = pci_address(part.string())) address = found;
  if (address) return address;
  const auto name = link_name(folder / "device");
  return name ? pci_address(*name) : std::nullopt;
}

std::optional<PciPlace> pci_place(const Path& root, const std::string& address) {
  const Path link = root / "sys/bus/pci/devices" / address;
  std::error_code problem;
  const Path target = std::filesystem::read_symlink(link, problem);
  if (problem) return std::nullopt;
  PciPlace place;
  for (const auto& part : target)
    if (part.string().starts_with("pci") || !place.way.empty()) place.way.push_back(part.string());
  if (place.way.size() < 2) return std::nullopt;
  if (const auto node = number(link / "numa_node"); node && *node >= 0 && *node < (1 << 20))
    place.numa_node = static_cast<int>(*node);
  return place;
}

std::optional<std::string> distance(const PciPlace& a, const PciPlace& b, bool one_node) {
  if (a.way == b.way) return "X";
  const auto [in_a, in_b] = std::ranges::mismatch(a.way, b.way);
  const auto shared = in_a - a.way.begin();
  if (shared == 0) {
    if (one_node) return "NODE";
    if (!a.numa_node || !b.numa_node) return std::nullopt;
    return *a.numa_node == *b.numa_node ? "NODE" : "SYS";
  }
  if (shared == 1) return "PHB";
  // One of each side's own bridges is the switch port that leads to the device.
  const auto most = std::max(a.way.end() - in_a, b.way.end() - in_b) - 1;
  return most <= 1 ? "PIX" : "PXB";
}

void add_pci_facts(const Path& root, std::vector<Gpu>& gpus) {
  for (Gpu& gpu : gpus) {
    const auto address = gpu.bus ? pci_address(*gpu.bus) : std::nullopt;
    if (!address) continue;
    const Path device = root / "sys/bus/pci/devices" / *address;
    const auto fill = [](auto& fact, auto value) {
      if (!fact) fact = value;
    };
    fill(gpu.pcie_gen, generation(device / "current_link_speed"));
    fill(gpu.pcie_gen_max, generation(device / "max_link_speed"));
    fill(gpu.pcie_width, width(device / "current_link_width"));
    fill(gpu.pcie_width_max, width(device / "max_link_width"));
    if (const auto place = pci_place(root, *address)) fill(gpu.numa_node, place->numa_node);
  }
}

std::optional<GpuLinks> gpu_links(const Path& root, const Host& host) {
  if (host.gpus.empty() || !is_there(root / "sys/bus/pci/devices")) return std::nullopt;
  const bool one_node = has_one_node(root);
  GpuLinks links;
  std::vector<std::optional<PciPlace>> places;
  for (const Gpu& gpu : host.gpus) {
    const auto address = gpu.bus ? pci_address(*gpu.bus) : std::nullopt;
    places.push_back(address ? pci_place(root, *address) : std::nullopt);
    links.columns.push_back(fmt::format("GPU{}", places.size() - 1));
  }
  for (const Nic& nic : nics(root)) {
    places.push_back(pci_place(root, nic.address));
    links.columns.push_back(nic.name);
  }
  for (std::size_t row = 0; row < host.gpus.size(); ++row) {
    links.rows.emplace_back();
    for (std::size_t column = 0; column < places.size(); ++column) {
      const auto& a = places[row];
      const auto& b = places[column];
      if (row == column)
        links.rows.back().emplace_back("X");
      else
        links.rows.back().push_back(a && b ? distance(*a, *b, one_node) : std::nullopt);
    }
  }
  return links;
}

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
