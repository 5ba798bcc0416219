// SPDX-License-Identifier: Apache-2.0
#include <tuple>

#include "preflight/stages/parts.hpp"

namespace busbar::preflight {
namespace {

/// Ranks with equal host name, boot id and network namespace share a host.
void find_hosts(Facts& facts) {
  std::map<std::tuple<std::string, std::string, std::string>, int> numbers;
  for (RankFacts& r : facts.ranks) {
    const auto [at, is_new] = numbers.try_emplace({r.id.host, r.id.machine, r.id.network}, facts.hosts.size());
    r.host = at->second;
    if (is_new) facts.hosts.push_back({.host = {.name = r.id.host}});
  }
}

}  // namespace

void gather_launch(Run& run) {
  for (int r = 0; r < run.roll.size(); ++r) run.facts.ranks.push_back({.id = {.rank = r}});
  run.alarm.at("sending its identity to rank 0");
  gather(run, &RankFacts::id, run.mine);
  std::vector<std::string> names;
  std::vector<int> hosts;
  if (run.roll.rank() == 0) {
    find_hosts(run.facts);
    for (const RankFacts& r : run.facts.ranks) {
      names.push_back(r.id.host);
      hosts.push_back(r.host);
    }
  }
  run.alarm.at("waiting for the host list from rank 0");
  const auto told = nlohmann::json::parse(run.roll.tell(nlohmann::json{{"names", names}, {"hosts", hosts}}.dump()));
  for (std::size_t r = 0; r < run.facts.ranks.size(); ++r) {
    run.facts.ranks[r].id.host = told.at("names").at(r);
    run.facts.ranks[r].host = told.at("hosts").at(r);
  }
}

}  // namespace busbar::preflight
