// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <map>

#include <fmt/core.h>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::string name_of(const Facts& f, int host) { return f.hosts[static_cast<std::size_t>(host)].host.name; }

/// True if no address of host `to` accepted a connection from `c`'s host.
bool nothing_reached(const Facts& f, const Connections& c, int to) {
  const auto failed = std::ranges::count(c.unreached, to, &Unreached::to);
  std::size_t tried = 0;
  const auto& own = f.networks[static_cast<std::size_t>(c.host)].addresses;
  for (const Address& a : f.networks[static_cast<std::size_t>(to)].addresses)
    if (std::ranges::find(own, a.address, &Address::address) == own.end()) ++tried;
  return static_cast<std::size_t>(failed) == tried;
}

void add_unreached(const Facts& f, const Connections& c, std::vector<CheckResult>& findings) {
  for (const Unreached& u : c.unreached) {
    const bool none = nothing_reached(f, c, u.to);
    findings.push_back(
        about_hosts(none ? State::failed : State::warning, f, {u.from, u.to},
                    fmt::format("{} cannot reach {} at {} ({}): {}{}", name_of(f, u.from), name_of(f, u.to), u.address,
                                u.interface, u.problem, none ? "; all other addresses failed too" : "")));
  }
}

/// Addresses shared by several hosts, such as bridges of containers and virtual machines.
void add_twice(const Facts& f, std::vector<CheckResult>& findings) {
  std::map<std::string, std::vector<int>> holders;
  std::map<std::string, std::string> interfaces;
  for (std::size_t h = 0; h < f.networks.size(); ++h)
    for (const Address& a : f.networks[h].addresses) {
      holders[a.address].push_back(static_cast<int>(h));
      interfaces[a.address] = a.interface;
    }
  for (const auto& [address, hosts] : holders)
    if (hosts.size() > 1)
      findings.push_back(about_hosts(State::warning, f, hosts,
                                     fmt::format("{} share the address {} ({}): connections to it stay on the host",
                                                 name_hosts(f, hosts), address, interfaces[address])));
}

std::vector<CheckResult> check_tcp(const Facts& f) {
  if (f.hosts.size() < 2) return {not_applicable("only one host")};
  std::vector<CheckResult> findings;
  int made = 0;
  for (const Connections& c : f.connections) {
    made += c.made;
    add_unreached(f, c, findings);
  }
  add_twice(f, findings);
  for (std::size_t h = 0; h < f.networks.size(); ++h)
    if (f.networks[h].addresses.empty())
      findings.push_back(
          about_hosts(State::failed, f, {static_cast<int>(h)},
                      fmt::format("{} has no interface that is up with an address", f.hosts[h].host.name)));
  std::ranges::stable_sort(findings, std::greater{}, &CheckResult::state);
  constexpr std::size_t most = 20;
  if (const auto all = findings.size(); all > most) {
    findings.resize(most);
    findings.push_back(unknown(fmt::format("{} more findings of this kind not shown", all - most)));
  }
  if (findings.empty())
    findings.push_back(all_well(fmt::format("{} connections between {} hosts", made, f.hosts.size())));
  return findings;
}

}  // namespace

extern const Check tcp{
    .name = "tcp",
    .stage = Stage::network,
    .about = "TCP from each host to the others on each of their interfaces",
    .expected = "every address of every interface that is up accepts connections from the other hosts",
    .why = "MPI and NCCL start over TCP on any interface that is up; an interface that reaches nothing makes them hang",
    .advice =
        "Check firewall (nft list ruleset), routes (ip route get ADDRESS) and switch. Exclude such interfaces: --mca "
        "btl_tcp_if_exclude lo,docker0, NCCL_SOCKET_IFNAME=^lo,docker0.",
    .find = check_tcp,
};

}  // namespace busbar::preflight
