// SPDX-License-Identifier: Apache-2.0
// Whether what busbar predict advises to run next narrows a prediction as it says. Made-up machines
// (made_up_machine.hpp) are measured on 2 and 8 nodes, and 128 nodes predicted. Then each candidate is really measured,
// and 128 nodes are predicted again. With --check the exit status is 1 if the first of the ranking is among the best
// two for less than 70 % of the machines. Same numbers on every run.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
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

constexpr int machines = 60, target = 128;

double median_width(const std::vector<Run>& runs) {
  const auto p =
      predict::predict_from(fit::fit_runs(runs, {}, 0.1), {.nodes = {target}, .sizes = made_up::usual_sizes()});
  std::vector<double> widths;
  for (const predict::Predicted& one : p.series.at(0).predicted) widths.push_back(one.time_s.high / one.time_s.low);
  return median(widths);
}

/// The records with a candidate's launches.
std::vector<Run> with(std::vector<Run> runs, Machine& machine, const predict::Candidate& c) {
  for (const predict::NewLaunch& launch : c.launches) {
    runs.push_back(machine.launch(launch.scale.nodes, launch.sizes.empty() ? made_up::usual_sizes() : launch.sizes));
    runs.back().path = fmt::format("next-{}.jsonl", runs.size());
  }
  return runs;
}

struct Tried {
  double expected = 0, seen = 0;  ///< upper over lower limit
};

struct Figures {
  int machines = 0, first_is_best = 0, first_of_best_two = 0, first_narrows = 0;
  std::vector<double> off;  ///< logarithm of seen over expected

  void add(const std::vector<Tried>& all, double now) {  // in the order of the ranking
    ++machines;
    const auto better = std::ranges::count_if(all, [&](const Tried& t) { return t.seen < all.front().seen; });
    first_is_best += better == 0;
    first_of_best_two += better <= 1;
    first_narrows += all.front().seen < now;
    for (const Tried& t : all) off.push_back(std::abs(std::log(t.seen / t.expected)));
  }
  [[nodiscard]] double share(int of) const { return 100.0 * of / machines; }
};

Figures report(bool all_candidates) {
  Figures figures;
  for (std::uint64_t seed = 0; seed < machines; ++seed) {
    Machine machine(seed);
    const std::vector<Run> runs{machine.launch(2), machine.launch(8)};
    const auto fit = fit::fit_runs(runs, {}, 0.1);
    const predict::FromFitOptions asked{.nodes = {target}, .sizes = made_up::usual_sizes()};
    const auto next = predict::next_runs(fit, predict::predict_from(fit, asked), asked);
    if (next.empty()) continue;
    const auto candidates = predict::candidates_of(fit.sweeps.front(), {}, target, {target});
    std::vector<Tried> all;
    for (const predict::NextRun& run : next.front().runs) {
      const auto c = std::ranges::find(candidates, run.what, &predict::Candidate::what);
      if (c == candidates.end() || c->allgather) continue;  // a machine has one collective
      if (!all_candidates && run.node_launches > 16) continue;
      all.push_back({.expected = run.width, .seen = median_width(with(runs, machine, *c))});
      if (std::getenv("V"))
        fmt::print("{} {} {:>40} exp {:.2f} seen {:.2f} now {:.2f}\n", seed, machine.collective(), run.what, run.width,
                   all.back().seen, next.front().width);
    }
    figures.add(all, median_width(runs));
  }
  return figures;
}

void print(std::string_view what, const Figures& f) {
  fmt::print(
      "{}: {} machines; the first of the ranking narrows {:.0f} %, is the best of {:.0f} %, of the best two of "
      "{:.0f} %; width off by a factor of {:.2f} (median)\n",
      what, f.machines, f.share(f.first_narrows), f.share(f.first_is_best), f.share(f.first_of_best_two),
      std::exp(median(f.off)));
}

}  // namespace
}  // namespace busbar

int main(int argc, char** argv) {
  const bool check = argc > 1 && std::string_view(argv[1]) == "--check";
  const auto all = busbar::report(true), cheap = busbar::report(false);
  busbar::print("all candidates", all);
  busbar::print("those of at most 16 node-launches", cheap);
  return check && (all.share(all.first_of_best_two) < 70 || cheap.share(cheap.first_of_best_two) < 70) ? 1 : 0;
}
