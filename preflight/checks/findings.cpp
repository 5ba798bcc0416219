// SPDX-License-Identifier: Apache-2.0
#include "preflight/checks/findings.hpp"

#include <algorithm>
#include <functional>

#include <fmt/core.h>

namespace busbar::preflight {
namespace {

std::vector<std::string> names(const Facts& facts, const std::vector<int>& hosts) {
  std::vector<std::string> all;
  for (const int h : hosts) all.push_back(facts.hosts.at(static_cast<std::size_t>(h)).host.name);
  return all;
}

using Naming = std::function<std::string(const std::vector<int>&)>;
using About = std::function<CheckResult(State, const std::vector<int>&, std::string)>;

CheckResult same(State state, std::string_view what, const std::vector<std::string>& values, const Naming& naming,
                 const About& about) {
  const auto all = holders(values);
  if (all.size() == 1) return all_well(fmt::format("same {} everywhere: {}", what, all[0].value));
  std::string read = fmt::format("{} differs: {}: {}", what, naming(all[0].who), all[0].value);
  std::vector<int> odd;
  for (std::size_t i = 1; i < all.size(); ++i) {
    odd.insert(odd.end(), all[i].who.begin(), all[i].who.end());
    if (i < 5) read += fmt::format("; {}: {}", naming(all[i].who), all[i].value);
  }
  return about(state, odd, read);
}

std::vector<CheckResult> grouped(const std::vector<Judgement>& judgements, const Naming& naming, const About& about) {
  std::map<std::pair<State, std::string>, std::vector<int>> groups;
  for (std::size_t i = 0; i < judgements.size(); ++i)
    groups[{judgements[i].state, judgements[i].read}].push_back(static_cast<int>(i));
  std::vector<CheckResult> findings;
  for (const auto& [key, who] : groups)
    findings.push_back(about(key.first, who, fmt::format("{}: {}", naming(who), key.second)));
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
std::optional<CheckResult> without_gpus(const Facts& f) {
  if (std::ranges::any_of(f.hosts, [](const HostFacts& h) { return !h.host.gpus.empty(); })) return std::nullopt;
  return not_applicable(f.nvml_problem.value_or("the kernel and NVML show no GPU on any host"));
}

CheckResult unknown(std::string why) {
  return {.state = State::unknown, .read = std::move(why), .hosts = {}, .ranks = {}};
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

CheckResult same_on_ranks(State state, const Facts& facts, std::string_view what,
                          const std::vector<std::string>& values) {
  return same(
      state, what, values, [&](const auto& ranks) { return name_ranks(facts, ranks); },
      [&](State s, const auto& ranks, std::string read) { return about_ranks(s, facts, ranks, std::move(read)); });
}

CheckResult same_on_hosts(State state, const Facts& facts, std::string_view what,
                          const std::vector<std::string>& values) {
  return same(
      state, what, values, [&](const auto& hosts) { return name_hosts(facts, hosts); },
      [&](State s, const auto& hosts, std::string read) { return about_hosts(s, facts, hosts, std::move(read)); });
}

std::vector<CheckResult> by_host(const Facts& facts, const std::vector<Judgement>& judgements) {
  return grouped(
      judgements, [&](const auto& hosts) { return name_hosts(facts, hosts); },
      [&](State s, const auto& hosts, std::string read) { return about_hosts(s, facts, hosts, std::move(read)); });
}

std::vector<CheckResult> by_rank(const Facts& facts, const std::vector<Judgement>& judgements) {
  return grouped(
      judgements, [&](const auto& ranks) { return name_ranks(facts, ranks); },
      [&](State s, const auto& ranks, std::string read) { return about_ranks(s, facts, ranks, std::move(read)); });
}

}  // namespace busbar::preflight
