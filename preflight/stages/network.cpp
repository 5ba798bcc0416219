// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include "preflight/contact/remote_shell.hpp"
#include "preflight/contact/tcp.hpp"
#include "preflight/read/read.hpp"
#include "preflight/stages/parts.hpp"

namespace busbar::preflight {
namespace {

/// Addresses of this host's partners, without addresses that this host also has: connections to those stay on the host.
std::vector<Target> targets(const Run& run, const std::vector<Network>& networks) {
  std::vector<Target> all;
  const auto& own = networks[static_cast<std::size_t>(run.host())].addresses;
  for (const int host : partners(run.host(), static_cast<int>(networks.size())))
    for (const Address& a : networks[static_cast<std::size_t>(host)].addresses)
      if (std::ranges::find(own, a.address, &Address::address) == own.end())
        all.push_back({.host = host, .address = a});
  return all;
}

std::vector<Unshelled> try_shells(const Run& run, double limit_s) {
  std::vector<std::string> hosts, others;
  for (const int rank : first_ranks(run.facts))
    hosts.push_back(run.facts.ranks[static_cast<std::size_t>(rank)].id.host);
  for (const int host : partners(run.host(), static_cast<int>(hosts.size())))
    others.push_back(hosts[static_cast<std::size_t>(host)]);
  const std::string& own = hosts[static_cast<std::size_t>(run.host())];
  std::vector<Unshelled> failed;
  for (const Answer& a : ask_hosts(others, "true", limit_s))
    if (a.problem) failed.push_back({.from = own, .to = a.host, .problem = *a.problem});
  return failed;
}

}  // namespace

void gather_network(Run& run) {
  run.alarm.at("listening on its host's interfaces");
  std::unique_ptr<Listeners> listeners;
  auto networks = gather_of_hosts<Network>(run, [&] {
    listeners = std::make_unique<Listeners>();
    return Network{.addresses = listeners->addresses(), .rdma = read_rdma()};
  });
  networks = nlohmann::json::parse(run.roll.tell(nlohmann::json(networks).dump())).get<std::vector<Network>>();
  run.alarm.at("connecting to other hosts over TCP");
  auto connections = gather_of_hosts<Connections>(
      run, [&] { return connect_to(run.host(), targets(run, networks), std::min(5.0, run.alarm.limit_s() / 4)); });
  (void)run.roll.tell("");  // keep listening until all hosts have tried
  if (run.options.ssh) {
    run.alarm.at("starting a remote shell on other hosts");
    std::vector<Unshelled> all;
    for (const auto& of_host :
         gather_of_hosts<std::vector<Unshelled>>(run, [&] { return try_shells(run, run.alarm.limit_s() / 2); }))
      all.insert(all.end(), of_host.begin(), of_host.end());
    run.facts.unshelled = all;
  }
  run.facts.networks = std::move(networks);
  run.facts.connections = std::move(connections);
}

}  // namespace busbar::preflight
