// SPDX-License-Identifier: Apache-2.0
// Coverage of the 95 % intervals of predictions. Sweeps of made-up machines on 2, 4 and 8 nodes are fitted, and new
// launches on 16 to 512 nodes compared with what is predicted for them (made_up_machine.hpp). With --check the exit
// status is 1 if less than 93 or more than 97 % of 2,000 lie inside. Same numbers on every run.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "bench/micro/made_up_machine.hpp"
#include "core/statistics/summary.hpp"
#include "reports/predict/from_fit.hpp"

namespace busbar {
namespace {

using made_up::Machine;

constexpr int machines = 250, cases_of_each = 8;

struct Count {
  int cases = 0, inside = 0;
  std::vector<double> widths, errors;

  void add(const predict::Span& s, double seen) {
    ++cases;
    inside += s.low <= seen && seen <= s.high;
    widths.push_back(s.high / s.low);
    errors.push_back(std::exp(std::abs(std::log(s.value / seen))));
  }
  [[nodiscard]] double share() const { return static_cast<double>(inside) / cases; }
  void print(std::string_view what) const {
    fmt::print("{:<10} {:>5} times, {:.1f} % inside, width {:.2f}, error {:.2f}\n", what, cases, 100 * share(),
               median(widths), median(errors));
  }
};

double report() {
  std::map<std::string, Count> counts;
  Count all;
  for (std::uint64_t seed = 0; seed < machines; ++seed) {
    Machine machine(seed);
    const auto fit = fit::fit_runs({machine.launch(2), machine.launch(4), machine.launch(8)}, {}, 0.1);
    for (int i = 0; i < cases_of_each; ++i) {
      const int nodes = machine.new_nodes();
      const std::uint64_t bytes = machine.new_size();
      const double seen = machine.new_time(nodes, bytes);
      const auto p = predict::predict_from(fit, {.nodes = {nodes}, .sizes = {bytes}});
      if (p.series.empty()) continue;
      counts[machine.collective()].add(p.series[0].predicted.at(0).time_s, seen);
      all.add(p.series[0].predicted[0].time_s, seen);
    }
  }
  for (const auto& [collective, count] : counts) count.print(collective);
  all.print("all");
  return all.share();
}

}  // namespace
}  // namespace busbar

int main(int argc, char** argv) {
  const bool check = argc > 1 && std::string_view(argv[1]) == "--check";
  const double share = busbar::report();
  return check && (share < 0.93 || share > 0.97) ? 1 : 0;
}
