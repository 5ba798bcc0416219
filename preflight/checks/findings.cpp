// SPDX-License-Identifier: Apache-2.0
#include "preflight/checks/findings.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include <fmt/core.h>

#include "core/base/units.hpp"

namespace busbar::preflight {
namespace {

std::vector<std::string> names(const Facts& facts, const std::vector<int>& hosts) {
  std::vector<std::string> all;
  for (const int h : hosts) all.push_back(facts.hosts.at(static_cast<std::size_t>(h)).host.name);
  return all;
}

/// What findings are about: hosts or ranks, by their indices.
struct Subject {
  std::string (*name)(const Facts&, const std::vector<int>&);
  CheckResult (*about)(State, const Facts&, const std::vector<int>&, std::string);
};
constexpr Subject of_hosts{.name = name_hosts, .about = about_hosts};
constexpr Subject of_ranks{.name = name_ranks, .about = about_ranks};

/// Hosts or ranks grouped by value, the most common value first; ties by the lowest host or rank.
struct Holders {
  std::string value;
  std::vector<int> who;
};
std::vector<Holders> holders(const std::vector<std::string>& values) {
  std::vector<Holders> all;
  for (std::size_t i = 0; i < values.size(); ++i) {
    auto known = std::ranges::find(all, values[i], &Holders::value);
    if (known == all.end()) known = all.insert(all.end(), {.value = values[i], .who = {}});
    known->who.push_back(static_cast<int>(i));
  }
  std::ranges::stable_sort(all, std::greater{}, [](const Holders& h) { return h.who.size(); });
  return all;
}

CheckResult same(const Subject& subject, State state, const Facts& facts, std::string_view what,
                 const std::vector<std::string>& values) {
  const auto all = holders(values);
  if (all.size() == 1) return all_well(fmt::format("same {} everywhere: {}", what, all[0].value));
  std::string read = fmt::format("{} differs: {}: {}", what, subject.name(facts, all[0].who), all[0].value);
  std::vector<int> odd;
  for (std::size_t i = 1; i < all.size(); ++i) {
    odd.insert(odd.end(), all[i].who.begin(), all[i].who.end());
    if (i < 5) read += fmt::format("; {}: {}", subject.name(facts, all[i].who), all[i].value);
  }
  return subject.about(state, facts, odd, read);
}

std::vector<CheckResult> grouped(const Subject& subject, const Facts& facts, const std::vector<Judgement>& judgements) {
  std::map<std::pair<State, std::string>, std::vector<int>> groups;
  for (std::size_t i = 0; i < judgements.size(); ++i)
    groups[{judgements[i].state, judgements[i].read}].push_back(static_cast<int>(i));
  std::vector<CheckResult> findings;
  for (const auto& [key, who] : groups)
    findings.push_back(
        subject.about(key.first, facts, who, fmt::format("{}: {}", subject.name(facts, who), key.second)));
  std::ranges::stable_sort(findings, std::greater{}, &CheckResult::state);
  return findings;
}

}  // namespace

CheckResult all_well(std::string read) {
  return {.state = State::ok, .read = std::move(read), .hosts = {}, .ranks = {}};
}
CheckResult not_applicable(std::string why) {
  return {.state = State::not_applicable, .read = std::move(why), .hosts = {}, .ranks = {}};
}
CheckResult unknown(std::string why) {
  return {.state = State::unknown, .read = std::move(why), .hosts = {}, .ranks = {}};
}

std::optional<CheckResult> without_gpus(const Facts& f) {
  if (std::ranges::any_of(f.hosts, [](const HostFacts& h) { return !h.host.gpus.empty(); })) return std::nullopt;
  return not_applicable(f.nvml_problem.value_or("the kernel and NVML show no GPU on any host"));
}

std::optional<CheckResult> without_nccl(const Facts& f) {
  std::vector<int> without;
  for (std::size_t r = 0; r < f.ranks.size(); ++r)
    if (f.ranks[r].nccl_missing) without.push_back(static_cast<int>(r));
  if (without.empty()) return std::nullopt;
  const std::string& why = *f.ranks[static_cast<std::size_t>(without[0])].nccl_missing;
  if (without.size() == f.ranks.size()) return not_applicable(why);
  return about_ranks(State::unknown, f, without, fmt::format("{}: {}", name_ranks(f, without), why));
}

CheckResult about_hosts(State state, const Facts& facts, const std::vector<int>& hosts, std::string read) {
  return {.state = state, .read = std::move(read), .hosts = names(facts, hosts), .ranks = {}};
}

CheckResult about_ranks(State state, const Facts& facts, const std::vector<int>& ranks, std::string read) {
  std::vector<int> hosts;
  for (const int r : ranks) hosts.push_back(facts.ranks.at(static_cast<std::size_t>(r)).host);
  std::ranges::sort(hosts);
  const auto rest = std::ranges::unique(hosts);
  hosts.erase(rest.begin(), rest.end());
  return {.state = state, .read = std::move(read), .hosts = names(facts, hosts), .ranks = ranks};
}

std::string name_hosts(const Facts& facts, const std::vector<int>& hosts) { return list(names(facts, hosts)); }

CheckResult same_on_ranks(State state, const Facts& facts, std::string_view what,
                          const std::vector<std::string>& values) {
  return same(of_ranks, state, facts, what, values);
}

CheckResult same_on_hosts(State state, const Facts& facts, std::string_view what,
                          const std::vector<std::string>& values) {
  return same(of_hosts, state, facts, what, values);
}

std::vector<CheckResult> by_host(const Facts& facts,
                                 const std::function<Judgement(const HostFacts&, std::size_t)>& judge) {
  std::vector<Judgement> judgements;
  for (std::size_t h = 0; h < facts.hosts.size(); ++h)
    judgements.push_back(judge(facts.hosts[h], ranks_of(facts, static_cast<int>(h)).size()));
  return grouped(of_hosts, facts, judgements);
}

std::vector<CheckResult> by_rank(const Facts& facts, const std::function<Judgement(const RankFacts&)>& judge) {
  std::vector<Judgement> judgements;
  for (const RankFacts& r : facts.ranks) judgements.push_back(judge(r));
  return grouped(of_ranks, facts, judgements);
}

std::vector<CheckResult> judge_pairs(const Facts& f, std::vector<PairResult> RankFacts::* which) {
  std::map<std::pair<int, int>, std::optional<std::string>> pairs;
  for (const RankFacts& r : f.ranks)
    for (const PairResult& p : r.*which) {
      auto& problem = pairs[{p.a, p.b}];
      if (!problem) problem = p.problem;
    }
  if (pairs.empty()) return {not_applicable("only one rank")};
  std::vector<CheckResult> findings;
  for (const auto& [pair, problem] : pairs)
    if (problem)
      findings.push_back(about_ranks(State::failed, f, {pair.first, pair.second},
                                     fmt::format("{}: {}", name_ranks(f, {pair.first, pair.second}), *problem)));
  if (findings.empty()) findings.push_back(all_well(plural(pairs.size(), "pair") + " of neighbours"));
  return findings;
}

}  // namespace busbar::preflight
