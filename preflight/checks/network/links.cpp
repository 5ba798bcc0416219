// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<CheckResult> check_links(const Facts& f) {
  std::map<std::string, std::vector<std::string>> seen;
  for (std::size_t h = 0; h < f.hosts.size(); ++h)
    for (const NetworkInterface& i : f.hosts[h].host.interfaces) {
      const bool addressed =
          h < f.networks.size() &&
          std::ranges::find(f.networks[h].addresses, i.name, &Address::interface) != f.networks[h].addresses.end();
      if (!addressed) continue;
      auto& values = seen[i.name];
      values.resize(f.hosts.size(), "missing or without address");
      values[h] = fmt::format("{}, MTU {}", i.speed_Gbps ? fmt::format("{:g} Gb/s", *i.speed_Gbps) : "speed unknown",
                              i.mtu.value_or(0));
    }
  std::vector<CheckResult> findings;
  for (const auto& [name, values] : seen) findings.push_back(same_on_hosts(State::warning, f, name, values));
  if (findings.empty()) findings.push_back(not_applicable("no host has an address on an interface besides loopback"));
  return findings;
}

}  // namespace

extern const Check links{
    .name = "links",
    .stage = Stage::network,
    .about = "link speed and MTU of network interfaces",
    .expected = "interfaces with the same name have the same speed and MTU on all hosts",
    .why =
        "one slow port slows down all hosts; with different MTUs, large packets are lost and small ones pass: jobs "
        "start, then hang",
    .advice =
        "Run ethtool INTERFACE and ip link show on the host that differs. Check cable, switch port and "
        "auto-negotiation. ping -M do -s 8972 tests a large packet.",
    .find = check_links,
};

}  // namespace busbar::preflight
