// SPDX-License-Identifier: Apache-2.0
#include "core/job/layout.hpp"

#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/words.hpp"

namespace busbar {
namespace {

constexpr std::size_t most_hosts_told = 8;
constexpr int most = 1 << 24;

/// "4, 4, 2"
std::string ranks_on(const std::map<int, std::vector<int>>& hosts) {
  std::string text;
  std::size_t told = 0;
  for (const auto& [host, ranks] : hosts) {
    if (told++ == most_hosts_told) return text + ", ...";
    text += fmt::format("{}{}", text.empty() ? "" : ", ", ranks.size());
  }
  return text;
}

int parse_part(std::string_view flag, const std::string& word, const std::string& part) {
  const bool digits = !part.empty() && std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; });
  const int number = digits && part.size() < 9 ? std::stoi(part) : 0;
  if (number < 1 || number > most)
    throw UsageError(fmt::format("{}: '{}' is not NODES x RANKS PER NODE, such as 2x4", flag, word));
  return number;
}

}  // namespace

std::string to_string(const NodesByRanks& l) { return fmt::format("{}x{}", l.nodes, l.ranks_per_node); }

NodesByRanks parse_layout(std::string_view flag, const std::string& word) {
  const auto x = std::min(word.find('x'), word.size());
  return {.nodes = parse_part(flag, word, word.substr(0, x)),
          .ranks_per_node = parse_part(flag, word, word.substr(std::min(x + 1, word.size())))};
}

std::vector<int> ranks_of(const NodesByRanks& layout, const std::vector<int>& hosts) {
  std::map<int, std::vector<int>> on;
  for (std::size_t r = 0; r < hosts.size(); ++r) on[hosts[r]].push_back(static_cast<int>(r));
  std::vector<int> ranks;
  int nodes = 0;
  for (const auto& [host, its] : on) {
    if (nodes == layout.nodes || static_cast<int>(its.size()) < layout.ranks_per_node) continue;
    ranks.insert(ranks.end(), its.begin(), its.begin() + layout.ranks_per_node);
    ++nodes;
  }
  if (nodes < layout.nodes)
    throw UsageError(fmt::format("--layout {}: needs {} host{} with {} rank{} on each; the hosts of this job have {}",
                                 to_string(layout), layout.nodes, layout.nodes == 1 ? "" : "s", layout.ranks_per_node,
                                 layout.ranks_per_node == 1 ? "" : "s", ranks_on(on)));
  std::ranges::sort(ranks);
  return ranks;
}

}  // namespace busbar
