// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/statistics/summary.hpp"
#include "reports/fleet/model.hpp"

/// Groups of hosts: those whose pairs with all other hosts are fast and slow alike.
namespace busbar::fleet {
namespace {

constexpr std::size_t fewest_hosts = 6, fewest_in_group = 3;
constexpr double least_alike = 0.8;       ///< share of other hosts with which two hosts of a group are alike
constexpr double least_as_grouped = 0.9;  ///< share of pairs within groups that are fast, and between groups slow

/// The faster quarter of each pair's launches, by hosts in ascending order.
using PairValues = std::map<std::pair<std::size_t, std::size_t>, double>;

PairValues pair_values(const std::vector<Observation>& seen, const std::vector<double>& excess) {
  std::map<std::pair<std::size_t, std::size_t>, std::vector<double>> all;
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (seen[i].hosts.size() == 2) all[{seen[i].hosts[0], seen[i].hosts[1]}].push_back(excess[i]);
  PairValues values;
  for (auto& [pair, some] : all) values[pair] = lower_quartile(std::move(some));
  return values;
}

/// The limit between two kinds of values that leaves least variance within them.
/// Source: N. Otsu 1979, A threshold selection method from gray-level histograms.
double limit_between(std::vector<double> values) {
  std::ranges::sort(values);
  const double total = std::accumulate(values.begin(), values.end(), 0.0);
  double sum = 0, best = -1, limit = values.front();
  for (std::size_t i = 1; i < values.size(); ++i) {
    sum += values[i - 1];
    const auto n = static_cast<double>(i), rest = static_cast<double>(values.size() - i);
    const double apart = sum / n - (total - sum) / rest, between = n * rest * apart * apart;
    if (between > best) best = between, limit = (values[i - 1] + values[i]) / 2;
  }
  return limit;
}

class Grouping {
 public:
  Grouping(const PairValues& values, double limit) : values_(values), limit_(limit) {
    for (const auto& [pair, value] : values) {
      slow_[pair.first][pair.second] = slow_[pair.second][pair.first] = value > limit;
    }
  }

  /// Groups of hosts that are alike, each with at least 3.
  [[nodiscard]] std::vector<std::vector<std::size_t>> groups() const {
    std::vector<std::vector<std::size_t>> all;
    for (const auto& [host, slow] : slow_) {
      const auto fits = [&](const auto& group) {
        return 2 * std::ranges::count_if(group, [&](std::size_t other) { return alike(host, other); }) >
               static_cast<std::ptrdiff_t>(group.size());
      };
      const auto group = std::ranges::find_if(all, fits);
      if (group == all.end())
        all.push_back({host});
      else
        group->push_back(host);
    }
    std::erase_if(all, [](const auto& group) { return group.size() < fewest_in_group; });
    return all;
  }

  /// Sets the ratio of times; false if the pairs do not show these groups: fast within each, slow between them.
  bool confirm(Groups& groups) const {
    std::map<std::size_t, std::size_t> group_of;
    for (std::size_t g = 0; g < groups.hosts.size(); ++g)
      for (const std::size_t host : groups.hosts[g]) group_of[host] = g;
    std::vector<std::vector<double>> within(groups.hosts.size());
    std::vector<double> between, all_within;
    for (const auto& [pair, value] : values_) {
      if (!group_of.contains(pair.first) || !group_of.contains(pair.second)) continue;
      const std::size_t group = group_of[pair.first];
      (group == group_of[pair.second] ? within[group] : between).push_back(value);
    }
    if (slow_share(between) < least_as_grouped) return false;
    for (const auto& values : within) {
      if (slow_share(values) > 1 - least_as_grouped) return false;
      all_within.insert(all_within.end(), values.begin(), values.end());
    }
    groups.between_over_within = std::exp(median(between) - median(all_within));
    return true;
  }

 private:
  /// 0.5 of none, which shows nothing.
  [[nodiscard]] double slow_share(const std::vector<double>& values) const {
    if (values.empty()) return 0.5;
    return static_cast<double>(std::ranges::count_if(values, [this](double v) { return v > limit_; })) /
           static_cast<double>(values.size());
  }
  [[nodiscard]] bool alike(std::size_t a, std::size_t b) const {
    std::size_t both = 0, same = 0;
    for (const auto& [other, slow] : slow_.at(a)) {
      const auto& of_b = slow_.at(b);
      const auto at = of_b.find(other);
      if (at == of_b.end()) continue;
      ++both;
      same += at->second == slow;
    }
    return both > 0 && static_cast<double>(same) >= least_alike * static_cast<double>(both);
  }

  const PairValues& values_;
  double limit_;
  std::map<std::size_t, std::map<std::size_t, bool>> slow_;
};

}  // namespace

Groups find_groups(const std::vector<Observation>& seen, const std::vector<double>& excess) {
  const PairValues values = pair_values(seen, excess);
  if (values.size() < fewest_hosts * (fewest_hosts - 1) / 2) return {};
  std::vector<double> all;
  for (const auto& [pair, value] : values) all.push_back(value);
  const Grouping grouping(values, limit_between(std::move(all)));
  Groups groups{.hosts = grouping.groups()};
  if (groups.hosts.size() < 2 || !grouping.confirm(groups)) return {};
  return groups;
}

}  // namespace busbar::fleet
