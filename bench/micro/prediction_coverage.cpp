// SPDX-License-Identifier: Apache-2.0
// Coverage of the 95 % intervals of predictions. Sweeps of made-up machines on 2, 4 and 8 nodes are fitted, and new
// launches on 16 to 512 nodes compared with what is predicted for them. Machines differ in collective, cost of a call,
// a step and a byte, in two protocols by the length of messages, in whether an allreduce switches from a tree to a ring
// and at which size, which grows with the nodes, and in how much more nodes slow the network. With --check the exit
// status is 1 if less than 93 or more than 97 % of 2,000 lie inside. Same numbers on every run.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "bench/micro/random.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/statistics/summary.hpp"
#include "reports/predict/from_fit.hpp"

namespace busbar {
namespace {

using fit::Scale, fit::Terms;

constexpr int per_node = 4, machines = 250, cases_of_each = 8;
constexpr unsigned first_size = 3, last_size = 30;  // powers of two
constexpr double launch_sigma = 0.08, size_sigma = 0.04;

Scale on_nodes(int nodes) { return {.ranks = nodes * per_node, .nodes = nodes}; }

class Machine {
 public:
  explicit Machine(std::uint64_t seed) : random_(seed) {
    constexpr std::string_view collectives[] = {"allreduce", "allgather", "alltoall"};
    collective_ = collectives[seed % std::size(collectives)];
    const double step_s = 10e-6 * random_.lognormal(0.7), per_byte = 1e-10 * random_.lognormal(0.5);
    const double slower = 2 + 2 * random_.uniform();
    short_messages_ = {8e-6 * random_.lognormal(0.15), step_s, per_byte * slower};
    long_messages_ = {short_messages_[0], step_s * slower, per_byte};
    longest_short_ = 4096 * std::exp2(4 * random_.uniform());
    tree_up_to_ = random_.uniform() < 0.5 ? std::exp2(18 + 6 * random_.uniform()) : 0;
    congestion_ = random_.uniform() < 0.5 ? std::abs(0.2 * random_.normal()) : 0;
  }

  [[nodiscard]] const std::string& collective() const { return collective_; }

  [[nodiscard]] double truth(int nodes, std::uint64_t bytes) const {
    const std::string algorithm = algorithm_of(nodes, bytes);
    const auto message = fit::message_bytes(collective_, algorithm, on_nodes(nodes), bytes);
    const Terms& costs = static_cast<double>(message) <= longest_short_ ? short_messages_ : long_messages_;
    const Terms x = *fit::terms_of(collective_, algorithm, on_nodes(nodes), static_cast<double>(bytes));
    return costs[0] + costs[1] * x[1] + costs[2] * x[2] * std::pow(nodes / 2.0, congestion_);
  }

  Run launch(int nodes) {
    Run run;
    run.path = fmt::format("n{}.jsonl", nodes);
    const double off = random_.lognormal(launch_sigma);
    for (unsigned e = first_size; e <= last_size; ++e) {
      CaseRecord c;
      c.key = {.collective = collective_,
               .backend = "nccl",
               .bytes = std::uint64_t{1} << e,
               .ranks = nodes * per_node,
               .nodes = nodes,
               .ranks_per_node = per_node};
      c.time_s = truth(nodes, c.key.bytes) * off * random_.lognormal(size_sigma);
      run.cases.push_back(std::move(c));
    }
    return run;
  }

  double new_time(int nodes, std::uint64_t bytes) {
    return truth(nodes, bytes) * random_.lognormal(launch_sigma) * random_.lognormal(size_sigma);
  }
  int new_nodes() { return 16 << static_cast<int>(6 * random_.uniform()); }
  std::uint64_t new_size() {
    return std::uint64_t{1} << (first_size + static_cast<unsigned>((last_size - first_size + 1) * random_.uniform()));
  }

 private:
  [[nodiscard]] std::string algorithm_of(int nodes, std::uint64_t bytes) const {
    if (collective_ == "alltoall") return "pairwise";
    const bool tree = collective_ == "allreduce" && static_cast<double>(bytes) <= tree_up_to_ * nodes;
    return tree ? "tree" : "ring";
  }

  Random random_;
  std::string collective_;
  Terms short_messages_{}, long_messages_{};
  double longest_short_ = 0;  ///< bytes
  double tree_up_to_ = 0;     ///< bytes for each node; 0: never a tree
  double congestion_ = 0;     ///< power of the nodes by which bytes take longer
};

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
