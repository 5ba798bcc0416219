// SPDX-License-Identifier: Apache-2.0
#include <map>

#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

const RdmaDevicePort* more_of(const Network& n, const RdmaPort& p) {
  for (const RdmaDevicePort& d : n.rdma)
    if (d.device == p.device && d.port == p.port) return &d;
  return nullptr;
}

/// As ibdev2netdev shows a port: "mlx5_0 port 1 (eth2): ACTIVE, 200 Gb/s, Ethernet".
std::string described(const RdmaPort& p, const RdmaDevicePort* more) {
  return fmt::format("{} port {}{}: {}, {} Gb/s, {}", p.device, p.port,
                     more != nullptr && !more->interfaces.empty() ? fmt::format(" ({})", list(more->interfaces)) : "",
                     p.state.value_or("state unknown"), p.rate_Gbps ? fmt::format("{:g}", *p.rate_Gbps) : "unknown",
                     p.link_layer.value_or("link layer unknown"));
}

std::optional<std::string> wrong_with(const RdmaPort& p, const RdmaDevicePort* more) {
  const bool cabled = more == nullptr || more->physical_state.value_or("").find("Disabled") == std::string::npos;
  if (p.state && *p.state != "ACTIVE" && cabled)
    return fmt::format("physical state: {}", more != nullptr ? more->physical_state.value_or("unknown") : "unknown");
  if (p.state == "ACTIVE" && p.link_layer == "Ethernet" && more != nullptr && more->gids == 0) return "no GID";
  return std::nullopt;
}

std::vector<CheckResult> check_rdma_ports(const Facts& f) {
  std::vector<CheckResult> findings;
  std::vector<std::string> rates;
  bool any = false;
  for (std::size_t h = 0; h < f.hosts.size(); ++h) {
    std::map<std::string, int> active;
    for (const RdmaPort& p : f.hosts[h].host.rdma) {
      any = true;
      const RdmaDevicePort* const more = h < f.networks.size() ? more_of(f.networks[h], p) : nullptr;
      if (p.state == "ACTIVE") ++active[p.rate_Gbps ? fmt::format("{:g} Gb/s", *p.rate_Gbps) : "unknown rate"];
      if (const auto wrong = wrong_with(p, more))
        findings.push_back(about_hosts(State::warning, f, {static_cast<int>(h)},
                                       fmt::format("{}, {}; {}", f.hosts[h].host.name, described(p, more), *wrong)));
    }
    std::string text;
    for (const auto& [rate, number] : active) text += fmt::format("{}{} at {}", text.empty() ? "" : ", ", number, rate);
    rates.push_back(text.empty() ? "none" : text);
  }
  if (!any) return {not_applicable("no host has an RDMA device (/sys/class/infiniband)")};
  findings.push_back(same_on_hosts(State::failed, f, "active RDMA port set", rates));
  return findings;
}

}  // namespace

extern const Check rdma_ports{
    .name = "rdma_ports",
    .stage = Stage::network,
    .about = "RDMA ports: state, rate, interfaces, GIDs",
    .expected = "all cabled ports are ACTIVE, at the same rate on all hosts; RoCE ports have GIDs",
    .why = "NCCL and UCX use the active ports: one host with fewer or slower ports slows down all",
    .advice =
        "Run ibstat, ibdev2netdev and show_gids on that host. INIT: no subnet manager answers (opensm). DOWN: check "
        "the cable and the switch port.",
    .find = check_rdma_ports,
};

}  // namespace busbar::preflight
