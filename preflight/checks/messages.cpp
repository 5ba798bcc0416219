// SPDX-License-Identifier: Apache-2.0
#include <map>

#include <fmt/core.h>

#include "core/units.hpp"
#include "preflight/checks/findings.hpp"

namespace busbar::preflight {
namespace {

std::vector<Finding> judge(const Facts& f) {
  std::map<std::pair<int, int>, std::optional<std::string>> pairs;
  for (const RankFacts& r : f.ranks)
    for (const PairResult& p : r.pairs) {
      auto& problem = pairs[{p.a, p.b}];
      if (!problem) problem = p.problem;
    }
  if (pairs.empty()) return {not_applicable("there is one rank")};
  std::vector<Finding> findings;
  for (const auto& [pair, problem] : pairs)
    if (problem)
      findings.push_back(about_ranks(State::failed, f, {pair.first, pair.second},
                                     fmt::format("{}: {}", name_ranks(f, {pair.first, pair.second}), *problem)));
  if (findings.empty()) findings.push_back(all_well(plural(pairs.size(), "pair") + " of neighbours"));
  return findings;
}

}  // namespace
}  // namespace busbar::preflight

namespace busbar {

extern const preflight::Check messages{
    .name = "messages",
    .stage = preflight::Stage::pairs,
    .about = "messages of two ranks, 8 B and 1 MiB: neighbours on each host, then from host to host",
    .expected = "each pair's messages arrive, within the time of a stage, as they were sent",
    .why = "MPI starts even where ranks cannot reach each other: the first message then fails or hangs",
    .advice =
        "Of one host: /dev/shm and --mca btl_vader_single_copy_mechanism none; of two: see stage network, and "
        "--mca btl_tcp_if_include; UCX: UCX_NET_DEVICES, UCX_LOG_LEVEL=info.",
    .judge = preflight::judge,
};

}  // namespace busbar
