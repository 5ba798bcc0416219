// SPDX-License-Identifier: Apache-2.0
#include "preflight/facts/facts.hpp"

#include <algorithm>

#include <fmt/core.h>
#include <fmt/ranges.h>

namespace busbar::preflight {

std::vector<int> ranks_of(const Facts& facts, int host) {
  std::vector<int> all;
  for (std::size_t r = 0; r < facts.ranks.size(); ++r)
    if (facts.ranks[r].host == host) all.push_back(static_cast<int>(r));
  return all;
}

std::vector<int> first_ranks(const Facts& facts) {
  std::vector<int> first;
  for (std::size_t r = 0; r < facts.ranks.size(); ++r)
    if (facts.ranks[r].host == std::ssize(first)) first.push_back(static_cast<int>(r));
  return first;
}

std::string list(const std::vector<std::string>& words, std::size_t most) {
  if (words.size() <= most + 1) return fmt::format("{}", fmt::join(words, ", "));
  const std::vector<std::string> first(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(most));
  return fmt::format("{} and {} more", fmt::join(first, ", "), words.size() - most);
}

std::string name_ranks(const Facts& facts, const std::vector<int>& ranks) {
  std::vector<std::string> numbers, hosts;
  for (const int r : ranks) {
    const Identity& id = facts.ranks.at(static_cast<std::size_t>(r)).id;
    numbers.push_back(std::to_string(id.rank));
    const std::string host = id.host.empty() ? "host not known yet" : id.host;
    if (std::ranges::find(hosts, host) == hosts.end()) hosts.push_back(host);
  }
  return fmt::format("{} {} ({})", ranks.size() == 1 ? "rank" : "ranks", list(numbers), list(hosts));
}

}  // namespace busbar::preflight
