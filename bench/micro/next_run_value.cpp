// SPDX-License-Identifier: Apache-2.0
// Whether what busbar predict advises to run next narrows a prediction as it says. Made-up machines
// (made_up_machine.hpp) are measured on 2 and 8 nodes, and 128 nodes predicted. Then each candidate is really measured,
// and 128 nodes are predicted again. With --check the exit status is 1 if the first of the ranking is among the best
// two for less than 80 % of the machines, of all candidates or of cheap ones. Same numbers on every run.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "bench/micro/made_up_machine.hpp"
#include "core/statistics/summary.hpp"
#include "reports/predict/candidates.hpp"
#include "reports/predict/next_runs.hpp"

namespace busbar {
namespace {

using made_up::Machine;

constexpr int machines = 45, target = 128, few_nodes = 10;
constexpr std::uint64_t first_seed = 500;

double median_width(const std::vector<Run>& runs) {
  const auto p =
      predict::predict_from(fit::fit_runs(runs, {}, 0.1), {.nodes = {target}, .sizes = made_up::usual_sizes()});
  std::vector<double> widths;
  for (const predict::Predicted& one : p.series.at(0).predicted)
    widths.push_back(std::log(one.time_s.high / one.time_s.low));
  return std::exp(median(widths));
}

/// The records with a candidate's launches.
std::vector<Run> with(std::vector<Run> runs, Machine& machine, const predict::Candidate& c) {
  for (const predict::NewLaunch& launch : c.launches) {
    runs.push_back(machine.launch(launch.scale.nodes, launch.sizes.empty() ? made_up::usual_sizes() : launch.sizes));
    runs.back().path = fmt::format("next-{}.jsonl", runs.size());
  }
  return runs;
}

/// Upper over lower limit with a candidate, and what it costs.
struct Tried {
  double expected = 0, seen = 0, node_launches = 0;
};

struct Figures {
  int machines = 0, first_narrows = 0, first_is_best = 0, first_of_best_two = 0, most_nodes_is_best = 0;
  std::vector<double> off;  ///< logarithm of seen over expected

  /// `all`: in the order of the ranking. `now`: the width without any of them.
  void add(const std::vector<Tried>& all, double now) {
    ++machines;
    const auto better = [&all](const Tried& than) {
      return std::ranges::count_if(all, [&](const Tried& t) { return t.seen < than.seen; });
    };
    first_narrows += all.front().seen < now;
    first_is_best += better(all.front()) == 0;
    first_of_best_two += better(all.front()) <= 1;
    most_nodes_is_best += better(*std::ranges::max_element(all, {}, &Tried::node_launches)) == 0;
    for (const Tried& t : all) off.push_back(std::abs(std::log(t.seen / t.expected)));
  }
  [[nodiscard]] double share(int of) const { return 100.0 * of / machines; }
  void print(std::string_view what) const {
    fmt::print(
        "{}: the first of the ranking narrows {:.0f} % of {} machines, is the best of {:.0f} %, of the best two of "
        "{:.0f} %; most nodes are the best of {:.0f} %; width off by a factor of {:.2f} (median)\n",
        what, share(first_narrows), machines, share(first_is_best), share(first_of_best_two), share(most_nodes_is_best),
        std::exp(median(off)));
  }
};

/// The candidates of one machine, measured for real, in the order of the ranking.
std::vector<Tried> measured(Machine& machine, const std::vector<Run>& runs) {
  const auto fit = fit::fit_runs(runs, {}, 0.1);
  const predict::FromFitOptions asked{.nodes = {target}, .sizes = made_up::usual_sizes()};
  const auto next = predict::next_runs(fit, predict::predict_from(fit, asked), asked);
  if (next.empty()) return {};
  const auto candidates = predict::candidates_of(fit.sweeps.front(), {}, target, {target});
  std::vector<Tried> all;
  for (const predict::NextRun& run : next.front().runs) {
    const auto c = std::ranges::find(candidates, run.what, &predict::Candidate::what);
    if (c == candidates.end() || c->allgather) continue;  // a machine has one collective
    all.push_back(
        {.expected = run.width, .seen = median_width(with(runs, machine, *c)), .node_launches = run.node_launches});
  }
  return all;
}

bool report() {
  Figures all, cheap;
  for (std::uint64_t seed = first_seed; seed < first_seed + machines; ++seed) {
    Machine machine(seed);
    const std::vector<Run> runs{machine.launch(2), machine.launch(8)};
    std::vector<Tried> tried = measured(machine, runs);
    if (tried.empty()) continue;
    const double now = median_width(runs);
    all.add(tried, now);
    std::erase_if(tried, [](const Tried& t) { return t.node_launches > few_nodes; });
    cheap.add(tried, now);
  }
  all.print("all candidates");
  cheap.print(fmt::format("those of at most {} node-launches", few_nodes));
  const auto holds = [](const Figures& f) { return f.machines > 0 && f.share(f.first_of_best_two) >= 80; };
  return holds(all) && holds(cheap);
}

}  // namespace
}  // namespace busbar

int main(int argc, char** argv) {
  const bool check = argc > 1 && std::string_view(argv[1]) == "--check";
  const bool holds = busbar::report();
  return check && !holds ? 1 : 0;
}
