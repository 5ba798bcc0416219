// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include "core/record/run.hpp"
#include "core/statistics/distributions.hpp"
#include "reports/fleet/fleet.hpp"

/// Hosts whose launches fail more often than those of others.
namespace busbar::fleet {
namespace {

constexpr std::size_t fewest_failures = 3;

struct Counts {
  std::size_t failed = 0, all = 0;
};

std::set<std::size_t> hosts_of(const Launch& launch, const std::map<std::string, std::size_t>& numbers) {
  std::set<std::size_t> hosts;
  for (const Run* run : launch.runs)
    for (const Host& host : run->head.hosts)
      if (const auto at = numbers.find(host.name); at != numbers.end()) hosts.insert(at->second);
  return hosts;
}

}  // namespace

bool failed(const Launch& launch) {
  return std::ranges::any_of(launch.runs, [](const Run* run) {
    return run->end && (run->end->status == EndStatus::aborted || run->end->status == EndStatus::failed);
  });
}

std::vector<Failing> find_failing(const DataSet& data, double by_chance) {
  std::map<std::string, std::size_t> numbers;
  for (std::size_t i = 0; i < data.hosts.size(); ++i) numbers[data.hosts[i]] = i;
  std::vector<std::pair<std::set<std::size_t>, bool>> launches;
  for (const Launch& launch : data.launches) launches.emplace_back(hosts_of(launch, numbers), failed(launch));
  std::vector<Failing> found;
  while (true) {  // the worst host first; its launches say nothing about others
    std::map<std::size_t, Counts> of_host;
    Counts total;
    for (const auto& [hosts, has_failed] : launches) {
      for (const std::size_t host : hosts) of_host[host].failed += has_failed, ++of_host[host].all;
      total.failed += has_failed, ++total.all;
    }
    const auto worst = std::ranges::max_element(of_host, {}, [](const auto& h) { return h.second.failed; });
    if (worst == of_host.end() || worst->second.failed < fewest_failures || total.all == worst->second.all)
      return found;
    const auto [host, counts] = *worst;
    // The share among launches without this host; half a failure more, so that it is never 0.
    const double share =
        (static_cast<double>(total.failed - counts.failed) + 0.5) / (static_cast<double>(total.all - counts.all) + 1);
    if (binomial_at_least(counts.failed, counts.all, share) > by_chance / static_cast<double>(of_host.size()))
      return found;
    found.push_back({.host = host,
                     .failed = counts.failed,
                     .launches = counts.all,
                     .others_failed = total.failed - counts.failed,
                     .others = total.all - counts.all});
    std::erase_if(launches, [h = host](const auto& launch) { return launch.first.contains(h); });
  }
}

}  // namespace busbar::fleet
