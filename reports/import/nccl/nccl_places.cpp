// SPDX-License-Identifier: Apache-2.0
#include "reports/import/nccl/nccl_places.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/record/run_record.hpp"

namespace busbar {
namespace {

std::optional<std::string> known(const std::string& text) { return text.empty() ? std::nullopt : std::optional(text); }

}  // namespace

std::map<std::string, int> ranks_by_host(const std::vector<NcclRank>& ranks) {
  std::map<std::string, int> on_host;
  for (const NcclRank& r : ranks) ++on_host[r.host];
  return on_host;
}

NcclLayout layout_of(const std::vector<NcclRank>& ranks) {
  const std::map<std::string, int> on_host = ranks_by_host(ranks);
  NcclLayout l{.ranks = static_cast<int>(ranks.size()), .nodes = std::nullopt, .ranks_per_node = std::nullopt};
  if (ranks.empty()) return l;
  l.nodes = static_cast<int>(on_host.size());
  const int first = on_host.begin()->second;
  if (std::ranges::all_of(on_host, [first](const auto& h) { return h.second == first; })) l.ranks_per_node = first;
  return l;
}

std::vector<NcclRank> ranks_of(const NcclJob& job) {
  std::vector<NcclRank> once = job.ranks;
  std::ranges::stable_sort(once, {}, &NcclRank::rank);
  const auto repeated = std::ranges::unique(once, {}, &NcclRank::rank);
  once.erase(repeated.begin(), repeated.end());
  return once;
}

std::size_t copies_of(const NcclJob& job) {
  const auto first_ranks = std::ranges::count(job.ranks, 0, &NcclRank::rank);
  return std::max({std::size_t{1}, static_cast<std::size_t>(first_ranks), static_cast<std::size_t>(job.starts)});
}

NcclLayout group_layout(const std::vector<NcclRank>& ranks, int& groups) {
  std::map<int, std::vector<NcclRank>> by_group;
  for (const NcclRank& r : ranks) by_group[r.group].push_back(r);
  groups = static_cast<int>(by_group.size());
  if (groups <= 1) return layout_of(ranks);
  NcclLayout all = layout_of(by_group.at(ranks.front().group));  // rank 0 prints
  for (const auto& [group, members] : by_group) {
    const NcclLayout one = layout_of(members);
    if (one.nodes != all.nodes) all.nodes.reset();
    if (one.ranks_per_node != all.ranks_per_node) all.ranks_per_node.reset();
  }
  return all;
}

void place(RunRecord& head, const std::vector<NcclRank>& ranks) {
  std::map<std::string, std::size_t> hosts;
  std::set<std::pair<std::string, std::string>> gpus;  // (host, bus address)
  for (const NcclRank& r : ranks) {
    head.placement.push_back({.rank = r.rank, .host = r.host, .device = known(r.device), .device_bus = known(r.bus)});
    const std::size_t host = hosts.emplace(r.host, hosts.size()).first->second;
    if (host == head.hosts.size()) head.hosts.push_back({.name = r.host});
    if (!r.device.empty() && gpus.emplace(r.host, r.bus).second)
      head.hosts[host].gpus.push_back({.name = r.device, .bus = known(r.bus)});
  }
}

}  // namespace busbar
