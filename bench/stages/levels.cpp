// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "bench/stages/stage.hpp"
#include "core/base/error.hpp"

namespace busbar {
namespace {

using Hosts = std::vector<std::vector<int>>;

std::string name_of(const Ranks& ranks, const std::vector<int>& host) {
  return ranks.names[static_cast<std::size_t>(ranks.hosts[static_cast<std::size_t>(host[0])])];
}

Stage nodes(const Hosts& hosts, const Ranks& ranks) {
  for (const auto& host : hosts)
    if (host.size() != hosts[0].size())
      throw UsageError(fmt::format("--groups node: {} has {} ranks and {} has {}; give every host as many",
                                   name_of(ranks, hosts[0]), hosts[0].size(), name_of(ranks, host), host.size()));
  return {.name = "node", .teams = hosts, .levels = {hosts.size(), "node"}};
}

Stage leaders(const Hosts& hosts) {
  Stage stage{.name = "leaders", .teams = {{}}, .levels = {"leaders"}};
  for (const auto& host : hosts) stage.teams[0].push_back(host[0]);
  return stage;
}

}  // namespace

Stages make_levels(std::span<const std::string> levels, const Ranks& ranks) {
  const Hosts hosts = ranks.by_host();
  const bool one_rank_each = world_of(ranks.hosts).ranks_per_node == 1;
  Stages stages;
  for (const std::string& level : levels) {
    if (level == "node" && one_rank_each)
      stages.notes.emplace_back("--groups node: left out, every host has one rank");
    else if (level == "leaders" && hosts.size() == 1)
      stages.notes.emplace_back("--groups leaders: left out, there is one host");
    else
      stages.all.push_back(level == "node" ? nodes(hosts, ranks) : level == "leaders" ? leaders(hosts) : world(ranks));
  }
  if (stages.all.empty()) throw UsageError(stages.notes[0] + ", and nothing else is asked for");
  return stages;
}

}  // namespace busbar
