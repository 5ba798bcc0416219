// SPDX-License-Identifier: Apache-2.0
#include <map>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<CheckResult> check_host_names(const Facts& f) {
  std::map<std::string, std::vector<int>> by_name, by_machine;
  for (std::size_t h = 0; h < f.hosts.size(); ++h) {
    const auto ranks = ranks_of(f, static_cast<int>(h));
    by_name[f.hosts[h].host.name].push_back(static_cast<int>(h));
    by_machine[f.ranks[static_cast<std::size_t>(ranks.front())].id.machine].push_back(static_cast<int>(h));
  }
  std::vector<CheckResult> findings;
  for (const auto& [name, hosts] : by_name)
    if (hosts.size() > 1) {
      std::vector<int> first;
      for (const int h : hosts) first.push_back(ranks_of(f, h).front());
      findings.push_back(about_ranks(State::failed, f, first,
                                     fmt::format("{} hosts share the name {}: {} are on different hosts", hosts.size(),
                                                 name, name_ranks(f, first))));
    }
  for (const auto& [machine, hosts] : by_machine)
    if (hosts.size() > 1 && !machine.empty() && by_name.size() > 1)
      findings.push_back(about_hosts(State::warning, f, hosts,
                                     fmt::format("{} run under one kernel: containers on one machine, or one "
                                                 "host with several names",
                                                 name_hosts(f, hosts))));
  if (findings.empty()) findings.push_back(all_well(plural(f.hosts.size(), "host") + ", each with a unique name"));
  return findings;
}

}  // namespace

extern const Check host_names{
    .name = "host_names",
    .stage = Stage::host,
    .about = "unique host names",
    .expected = "one name for each machine",
    .why =
        "ranks with the same host name count as neighbours: two hosts with one name look like one, and sharing "
        "memory fails",
    .advice =
        "Give each host a unique name (hostnamectl set-hostname) and restart its daemons; containers need --hostname.",
    .find = check_host_names,
};

}  // namespace busbar::preflight
