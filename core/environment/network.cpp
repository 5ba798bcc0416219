// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <tuple>

#include "core/environment/facts.hpp"

namespace busbar::facts {
namespace {

/// Link speed from the driver's Mb/s. -1, 0 and 2^32-1 mean unknown.
std::optional<double> speed_Gbps(const Path& interface) {
  const auto speed = number(interface / "speed");
  if (!speed || *speed <= 0 || *speed >= 0xFFFFFFFFLL) return std::nullopt;
  return static_cast<double>(*speed) * 1e-3;
}

InterfaceKind kind_of(const Path& interface) {
  static constexpr std::int64_t arphrd_infiniband = 32;  // linux/if_arp.h
  if (number(interface / "type") == arphrd_infiniband) return InterfaceKind::infiniband;
  return is_there(interface / "device") ? InterfaceKind::ethernet : InterfaceKind::without_device;
}

std::optional<int> small(const std::optional<std::int64_t>& value) {
  if (!value || *value < 0 || *value > 0x7FFFFFFF) return std::nullopt;
  return static_cast<int>(*value);
}

/// Parses "200 Gb/sec (4X HDR)" as 200.
std::optional<double> rate_Gbps(const Path& file) {
  const auto rate = line(file);
  if (!rate || rate->find(" Gb/sec") == std::string::npos) return std::nullopt;
  const double value = std::strtod(rate->c_str(), nullptr);
  if (!std::isfinite(value) || value <= 0) return std::nullopt;
  return value;
}

/// Parses "4: ACTIVE" as ACTIVE.
std::optional<std::string> port_state(const Path& file) {
  const auto state = line(file);
  if (!state) return std::nullopt;
  const auto colon = state->find(':');
  return clean(colon == std::string::npos ? std::string_view(*state) : std::string_view(*state).substr(colon + 1));
}

}  // namespace

std::vector<NetworkInterface> interfaces(const Path& root) {
  std::vector<NetworkInterface> all;
  const Path net = root / "sys/class/net";
  for (const auto& name : entries(net)) {
    const Path interface = net / name;
    if (name == "lo" || !is_there(interface / "type")) continue;  // bonding_masters is a file, not a folder
    all.push_back({.name = name,
                   .kind = kind_of(interface),
                   .driver = link_name(interface / "device/driver"),
                   .state = line(interface / "operstate"),
                   .speed_Gbps = speed_Gbps(interface),
                   .mtu = small(number(interface / "mtu"))});
  }
  return all;
}

std::vector<RdmaPort> rdma_ports(const Path& root) {
  std::vector<RdmaPort> all;
  const Path devices = root / "sys/class/infiniband";
  for (const auto& device : entries(devices))
    for (const auto& port : entries(devices / device / "ports")) {
      const Path folder = devices / device / "ports" / port;
      const auto index = small(to_number(port));
      if (!index) continue;
      all.push_back({.device = device,
                     .port = *index,
                     .link_layer = line(folder / "link_layer"),
                     .state = port_state(folder / "state"),
                     .rate_Gbps = rate_Gbps(folder / "rate")});
    }
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return std::tie(a.device, a.port) < std::tie(b.device, b.port); });
  return all;
}

}  // namespace busbar::facts
