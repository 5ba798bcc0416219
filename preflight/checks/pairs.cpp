// SPDX-License-Identifier: Apache-2.0
#include "preflight/checks/pairs.hpp"

#include <map>

#include <fmt/core.h>

#include "core/base/units.hpp"

namespace busbar::preflight {

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
