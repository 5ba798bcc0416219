// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/run.hpp"
#include "reports/accept/accept.hpp"
#include "reports/document/pair_matrix.hpp"
#include "reports/fleet/fleet.hpp"
#include "reports/sections/overview.hpp"
#include "reports/text/text.hpp"

/// Slow nodes and pairs, where many were measured.
namespace busbar::report {
namespace {

/// Pairs of all runs, and the slowest.
struct AllPairs {
  std::size_t slow = 0, all = 0;
  std::size_t beside_slow = 0;  ///< of the tests with slow pairs
  std::set<std::string> ends, tests, slow_tests;
  std::string test;     ///< of the slowest pair
  std::string slowest;  ///< "node0 <-> node2: 0.12 GB/s, 10 % of the usual speed (sendrecv at 1 MiB)"
  double share = 1;
};

AllPairs pairs_of(const Material& material) {
  AllPairs pairs;
  for (const std::vector<PairMatrix>& of_run : material.pairs()) {
    for (const PairMatrix& m : of_run) {
      pairs.all += m.pairs.size();
      pairs.tests.insert(m.test);
      pairs.ends.insert(m.rows.begin(), m.rows.end());
      pairs.ends.insert(m.columns.begin(), m.columns.end());
      const auto slow = slow_pairs(m);
      if (slow.empty()) continue;
      pairs.slow += slow.size();
      pairs.beside_slow += m.pairs.size();
      pairs.slow_tests.insert(m.test);
      if (share(m, *slow.front()) >= pairs.share) continue;
      pairs.share = share(m, *slow.front());
      pairs.test = m.test;
      pairs.slowest = fmt::format("{}: {}, {:.0f} % of the usual speed ({})", pair_text(m, *slow.front()),
                                  value_text(m, slow.front()->value), 100 * pairs.share, m.test);
    }
  }
  return pairs;
}

/// Hosts that the runs compare with each other; 0 if they compare none.
std::size_t compared_hosts(const Material& material, const AllPairs& pairs) {
  if (const auto& fleet = material.fleet()) return fleet->verdicts.size();
  return pairs.ends.size();
}

/// "in 1 of 2 tests"; empty with a single test.
std::string tests_text(const AllPairs& pairs) {
  if (pairs.tests.size() < 2) return "";
  return pairs.slow == 0 ? fmt::format("in {} tests", pairs.tests.size())
                         : fmt::format("in {} of {} tests", pairs.slow_tests.size(), pairs.tests.size());
}

void add_pairs(Highlight& found, const AllPairs& pairs) {
  if (pairs.all == 0) return;
  found.chart = {.chapter = "pairs", .plot = pairs.test};
  found.figures.push_back({.title = "slow pairs",
                           .value = std::to_string(pairs.slow),
                           .unit = fmt::format("of {}", pairs.slow > 0 ? pairs.beside_slow : pairs.all),
                           .expected = fmt::format("below {:.0f} % of the usual speed", 100 * slow_pair_share),
                           .scope = tests_text(pairs),
                           .judgement = pairs.slow == 0 ? Judgement::good : Judgement::doubtful,
                           .link = "pairs"});
  if (pairs.slow > 0) found.remarks.push_back({.text = "Slowest pair: " + pairs.slowest, .link = "pairs"});
}

Highlight find_slow_places(const Material& material) {
  const AllPairs pairs = pairs_of(material);
  const std::vector<accept::SlowNode> slow = accept::slow_nodes(material.runs(), material.pairs());
  const std::size_t hosts = compared_hosts(material, pairs);
  Highlight found;
  if (hosts == 0 && slow.empty()) return found;
  if (!material.options().by.empty() && pairs.all == 0) return found;  // sides may be hosts of different kinds
  std::vector<std::string> names;
  for (const accept::SlowNode& node : slow) names.push_back(node.name);
  const std::string link = material.fleet() ? "all_hosts" : pairs.all > 0 ? "pairs" : "findings";
  found.figures.push_back({.title = pairs.all > 0 ? "slow ends" : "slow nodes",
                           .value = std::to_string(slow.size()),
                           .unit = hosts > 0 ? fmt::format("of {}", hosts) : "",
                           .expected = "should be 0",
                           .scope = list(names, 3),
                           .judgement = slow.empty() ? Judgement::good : Judgement::bad,
                           .link = link});
  add_pairs(found, pairs);
  if (slow.empty()) {
    found.weight = Weight::result;
    found.judgement = pairs.slow == 0 ? Judgement::good : Judgement::doubtful;
    found.verdict = pairs.slow == 0 ? fmt::format("No slow node among {}", hosts)
                                    : fmt::format("{} of {} pairs are slow, but no node with all of its partners",
                                                  pairs.slow, pairs.beside_slow);
    return found;
  }
  found.weight = Weight::place;
  found.judgement = Judgement::bad;
  found.verdict =
      fmt::format("{} {} slow: {}", list(names, 3), names.size() == 1 ? "is" : "are", slow.front().evidence.front());
  return found;
}

}  // namespace
}  // namespace busbar::report

namespace busbar {

extern const report::HighlightSource slow_places{.name = "slow_places", .find = report::find_slow_places};

}  // namespace busbar
