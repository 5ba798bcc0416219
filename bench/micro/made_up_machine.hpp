// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "bench/micro/random.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "reports/fit/fit.hpp"

/// A made-up machine whose times are known on any number of nodes. Machines differ in collective, cost of a call, a
/// step and a byte, in two protocols by the length of messages, in whether an allreduce switches from a tree to a ring
/// and at which size, which grows with the nodes, and in how much more nodes slow the network.
namespace busbar::made_up {

using fit::Scale, fit::Terms;

inline constexpr int per_node = 4;
inline constexpr unsigned first_size = 3, last_size = 30;  ///< powers of two
inline constexpr double launch_sigma = 0.08, size_sigma = 0.04;

inline Scale on_nodes(int nodes) { return {.ranks = nodes * per_node, .nodes = nodes}; }

/// Powers of two.
inline std::vector<std::uint64_t> usual_sizes() {
  std::vector<std::uint64_t> all;
  for (unsigned e = first_size; e <= last_size; ++e) all.push_back(std::uint64_t{1} << e);
  return all;
}

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

  Run launch(int nodes, const std::vector<std::uint64_t>& sizes = usual_sizes()) {
    Run run;
    run.path = fmt::format("n{}.jsonl", nodes);
    const double off = random_.lognormal(launch_sigma);
    for (const std::uint64_t bytes : sizes) {
      CaseRecord c;
      c.key = {.collective = collective_,
               .backend = "nccl",
               .bytes = bytes,
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

}  // namespace busbar::made_up
