// SPDX-License-Identifier: Apache-2.0
#include "core/files/kernel_files.hpp"
#include "preflight/read/read.hpp"

/// Ports of RDMA devices. Source: /sys/class/infiniband, Documentation/ABI/stable/sysfs-class-infiniband of Linux.
namespace busbar::preflight {
namespace {

/// Network interfaces of this port, from those of the device's PCI function; dev_port counts from 0.
std::vector<std::string> interfaces_of(const facts::Path& device, std::int64_t port) {
  std::vector<std::string> all;
  const auto folder = device / "device/net";
  for (const std::string& name : facts::entries(folder))
    if (facts::number(folder / name / "dev_port").value_or(port - 1) == port - 1) all.push_back(name);
  return all;
}

int gids_in(const facts::Path& port) {
  int gids = 0;
  for (const std::string& index : facts::entries(port / "gids")) {
    const auto gid = facts::line(port / "gids" / index);
    if (gid && gid->find_first_not_of("0:") != std::string::npos && *gid != "fe80:0000:0000:0000:0000:0000:0000:0000")
      ++gids;
  }
  return gids;
}

std::optional<std::string> behind_colon(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  const auto colon = text->find(':');
  return facts::clean(colon == std::string::npos ? *text : text->substr(colon + 1));
}

}  // namespace

std::vector<RdmaDevicePort> read_rdma(const std::filesystem::path& root) {
  std::vector<RdmaDevicePort> all;
  const auto devices = root / "sys/class/infiniband";
  for (const std::string& device : facts::entries(devices))
    for (const std::string& port : facts::entries(devices / device / "ports")) {
      const auto number = facts::to_number(port);
      if (!number) continue;
      const auto folder = devices / device / "ports" / port;
      all.push_back({.device = device,
                     .port = static_cast<int>(*number),
                     .interfaces = interfaces_of(devices / device, *number),
                     .physical_state = behind_colon(facts::line(folder / "phys_state")),
                     .gids = gids_in(folder)});
    }
  return all;
}

}  // namespace busbar::preflight
