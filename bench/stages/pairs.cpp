// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/core.h>

#include "bench/stages/stage.hpp"
#include "core/base/error.hpp"

namespace busbar {
namespace {

using Pairs = std::vector<std::pair<int, int>>;
using Hosts = std::vector<std::vector<int>>;

/// Names of pairs.
class Names {
 public:
  Names(bool of_hosts, Scope::Turns how, const Ranks& ranks)
      : ranks_(ranks),
        how_(how == Scope::Turns::concurrent ? " concurrent"
             : how == Scope::Turns::alone    ? " alone"
                                             : ""),
        place_(ranks.hosts.size()) {
    if (of_hosts) return;
    for (const auto& host : ranks.by_host())
      for (std::size_t i = 0; i < host.size(); ++i) place_[static_cast<std::size_t>(host[i])] = fmt::format(":{}", i);
  }
  [[nodiscard]] std::string of(const std::pair<int, int>& pair) const {
    return one(pair.first) + "<->" + one(pair.second) + how_;
  }

 private:
  [[nodiscard]] std::string one(int rank) const {
    const auto r = static_cast<std::size_t>(rank);
    return ranks_.names[static_cast<std::size_t>(ranks_.hosts[r])] + place_[r];
  }
  const Ranks& ranks_;
  std::string how_;
  std::vector<std::string> place_;  ///< ":0", the rank's number on its host; empty for pairs of hosts
};

/// Pairs between the ranks of hosts that meet, in turns.
std::vector<Pairs> between(const Hosts& hosts, const Pairs& meeting) {
  std::vector<Pairs> turns;
  for (const auto& [a, b] : meeting) {
    std::size_t turn = 0;
    for (const int first : hosts[static_cast<std::size_t>(a)])
      for (const int second : hosts[static_cast<std::size_t>(b)]) {
        if (turn == turns.size()) turns.emplace_back();
        turns[turn++].emplace_back(first, second);
      }
  }
  return turns;
}

/// Pairs within a host, on all hosts at once, in turns.
std::vector<Pairs> inside(const Hosts& hosts) {
  std::vector<Pairs> turns;
  for (const auto& host : hosts) {
    std::size_t turn = 0;
    for (std::size_t i = 0; i < host.size(); ++i)
      for (std::size_t k = i + 1; k < host.size(); ++k) {
        if (turn == turns.size()) turns.emplace_back();
        turns[turn++].emplace_back(host[i], host[k]);
      }
  }
  return turns;
}

/// Turns in which each host takes part in one pair at a time.
std::vector<Pairs> apart(const Hosts& hosts) {
  std::vector<Pairs> turns = inside(hosts);
  for (const Pairs& meeting : tournament(static_cast<int>(hosts.size()))) {
    const auto some = between(hosts, meeting);
    turns.insert(turns.end(), some.begin(), some.end());
  }
  return turns;
}

std::vector<Pairs> one_by_one(const std::vector<Pairs>& turns) {
  std::vector<Pairs> single;
  for (const Pairs& turn : turns)
    for (const auto& pair : turn) single.push_back({pair});
  return single;
}

Hosts first_of_each(Hosts hosts) {
  for (auto& host : hosts) host.resize(1);
  return hosts;
}

}  // namespace

std::vector<Pairs> tournament(int n) {
  const int seats = n + n % 2;  // with an odd number, whoever meets the empty seat rests
  std::vector<Pairs> turns;
  for (int turn = 0; turn < seats - 1; ++turn) {
    Pairs pairs;
    const auto seat = [&](int i) { return i == 0 ? 0 : 1 + (i - 1 + turn) % (seats - 1); };
    for (int i = 0; i < seats / 2; ++i) {
      const auto [a, b] = std::minmax({seat(i), seat(seats - 1 - i)});
      if (b < n) pairs.emplace_back(a, b);
    }
    turns.push_back(std::move(pairs));
  }
  return turns;
}

Stages make_pairs(Scope::Between between, Scope::Turns how, const Ranks& ranks) {
  const Hosts hosts = ranks.by_host();
  const bool of_hosts =
      between == Scope::Between::hosts || (between == Scope::Between::hosts_or_ranks && hosts.size() > 1);
  if (of_hosts && hosts.size() < 2) throw UsageError("--between hosts: there is only one host; use --between ranks");
  if (ranks.hosts.size() < 2) throw UsageError("pairs: there is one rank; a pair needs two");
  if (of_hosts && how == Scope::Turns::concurrent)
    throw UsageError("--concurrent: needs --between ranks; a host takes part in one pair at a time");
  const Names names(of_hosts, how, ranks);
  const auto turns = how == Scope::Turns::concurrent ? tournament(static_cast<int>(ranks.hosts.size()))
                                                     : apart(of_hosts ? first_of_each(hosts) : hosts);
  Stages stages;
  for (const Pairs& turn : how == Scope::Turns::alone ? one_by_one(turns) : turns) {
    Stage stage{.name = {}, .kind = CaseKind::copy, .apart = true};
    for (const auto& pair : turn) {
      stage.teams.push_back({pair.first, pair.second});
      stage.levels.push_back(names.of(pair));
    }
    stages.all.push_back(std::move(stage));
  }
  for (std::size_t i = 0; i < stages.all.size(); ++i)
    stages.all[i].name = fmt::format("turn {} of {}", i + 1, stages.all.size());
  return stages;
}

}  // namespace busbar
