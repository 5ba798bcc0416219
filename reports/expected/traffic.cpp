// SPDX-License-Identifier: Apache-2.0
#include "reports/expected/traffic.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "core/base/words.hpp"
#include "core/record/case_key.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run_record.hpp"
#include "reports/runs/collective_facts.hpp"

namespace busbar::expected {
namespace {

constexpr std::string_view uneven = "the nodes have different or unknown numbers of ranks";

/// Ranks, nodes and ranks per node; doubles, because they are only divided.
struct Shape {
  double n = 0, nodes = 0, r = 0;
};

using Share = std::optional<double> (*)(const Shape&);

std::optional<double> none(const Shape&) { return std::nullopt; }
std::optional<double> zero(const Shape&) { return 0; }
std::optional<double> once(const Shape&) { return 1; }
std::optional<double> but_own(const Shape& s) { return (s.n - 1) / s.n; }
std::optional<double> double_tree(const Shape& s) { return std::min(s.nodes / 2, 2.0); }
std::optional<double> chain(const Shape& s) { return s.r > 2 ? 2 : 1; }
std::optional<double> switch_reduces(const Shape& s) { return (s.r + 1) / s.r; }
std::optional<double> direct_twice(const Shape& s) { return 2 * (s.r - 1) / s.r; }
std::optional<double> to_node(const Shape& s) { return (s.r - 1) / s.n; }
std::optional<double> to_other_nodes(const Shape& s) { return (s.n - s.r) / s.n; }
std::optional<double> to_other_nodes_of_each(const Shape& s) { return s.r * (s.n - s.r) / s.n; }
std::optional<double> if_one_node(const Shape& s) { return s.nodes == 1 ? std::optional(1.0) : std::nullopt; }
std::optional<double> if_alone(const Shape& s) { return s.r == 1 ? but_own(s) : std::nullopt; }

/// Traffic of an algorithm other than a flat ring. Names are lower case without "_", because NCCL uses both spellings.
struct Rule {
  std::string_view algorithm, collective;
  Share node, rank;
};
constexpr std::array rules{
    Rule{"tree", "allreduce", double_tree, chain},
    Rule{"collnetdirect", "allreduce", once, direct_twice},
    Rule{"collnetchain", "allreduce", once, chain},
    Rule{"nvls", "allreduce", once, switch_reduces},
    Rule{"nvlstree", "allreduce", double_tree, switch_reduces},
    Rule{"nvls", "allgather", none, if_one_node},
    Rule{"nvls", "reduce_scatter", none, if_one_node},
    Rule{"pat", "allgather", if_alone, zero},
    Rule{"pat", "reduce_scatter", if_alone, zero},
};

/// Collectives made of sends and receives between all ranks, or between all ranks and the root.
constexpr std::array direct_rules{
    Rule{"", "alltoall", to_other_nodes_of_each, to_node},
    Rule{"", "gather", to_other_nodes, to_node},
    Rule{"", "scatter", to_other_nodes, to_node},
    Rule{"", "incast", to_other_nodes, to_node},
};

/// "ring" from "ring/simple" and "ring+zero"; empty if unknown.
std::string algorithm_of(const CaseRecord& c) {
  if (c.choice) return c.choice->algorithm;
  const std::string told = c.key.algorithm.value_or("*");
  const std::string first = told.substr(0, told.find_first_of("/+"));
  return first == "*" ? "" : first;
}

using HostCounts = std::map<std::string, double>;

/// The largest number of a host; 0 without hosts.
double most_of(const HostCounts& counts) {
  double most = 0;
  for (const auto& [host, count] : counts) most = std::max(most, count);
  return most;
}

/// The most ranks on one host whose next rank is on another host. Returns 1, as if ranks were ordered by node, if the
/// placement is incomplete.
double links_to_next(const RunRecord& run, int ranks) {
  if (ranks < 1 || run.placement.size() != static_cast<std::size_t>(ranks)) return 1;
  HostCounts leave;
  for (std::size_t i = 0; i < run.placement.size(); ++i) {
    const std::string& host = run.placement[i].host;
    if (host != run.placement[(i + 1) % run.placement.size()].host) ++leave[host];
  }
  return std::max(1.0, most_of(leave));
}

/// The most pairs, rank r of the first half with r of the second, that leave one host. Returns the ranks per node, as
/// if every pair left its host, if the placement is incomplete.
std::optional<double> pairs_that_leave(const RunRecord& run, const CaseKey& k, const std::optional<Shape>& shape) {
  if (k.ranks < 2 || run.placement.size() != static_cast<std::size_t>(k.ranks))
    return shape ? std::optional(k.nodes == 1 ? 0 : shape->r) : std::nullopt;
  HostCounts leave;
  const std::size_t half = run.placement.size() / 2;
  for (std::size_t i = 0; i < half; ++i) {
    const std::string &first = run.placement[i].host, &second = run.placement[half + i].host;
    if (first != second) ++leave[first], ++leave[second];
  }
  return most_of(leave);
}

/// Every size is that of one message. Of windows both ways, half of the messages go each way.
Traffic of_pairs(const RunRecord& run, const CaseKey& k, const std::optional<Shape>& shape) {
  const double each_way = k.collective == "bidirectional" ? 0.5 : 1;
  Traffic t{.algorithm = "point to point", .rank = each_way};
  if (const auto pairs = pairs_that_leave(run, k, shape))
    t.node = *pairs * each_way;
  else
    t.missing = uneven;
  return t;
}

/// What is known of a collective; all members are at their defaults if busbar does not measure it.
CollectiveFacts facts_of(std::string_view collective) {
  const CollectiveFacts* const facts = collective_facts(collective);
  return facts == nullptr ? CollectiveFacts{} : *facts;
}

bool is_flat(std::string_view collective) { return facts_of(collective).movement == Movement::ring; }

Traffic flat_ring(const CaseRecord& c) {
  const std::string algorithm = algorithm_of(c);
  const double share = bus_factor_of(c.key.collective, c.key.ranks);  // the bus factor is that of a flat ring
  Traffic t{.algorithm = "flat ring", .assumed = lower_case(algorithm, "_") != "ring", .node = share, .rank = share};
  if (!algorithm.empty()) t.algorithm = t.assumed ? "flat ring (not " + algorithm + ")" : algorithm;
  return t;
}

Traffic neighbours(const RunRecord& run, const CaseRecord& c) {
  return {.algorithm = "point to point",
          .assumed = c.key.backend != "nccl",
          .node = links_to_next(run, c.key.ranks),
          .rank = 1};
}

/// A node must send or receive the whole size, except its own part of an allgather's or reduce_scatter's result.
std::optional<double> least_of_node(const CaseKey& k, const Traffic& t) {
  if (!k.nodes || *k.nodes < 2) return std::nullopt;
  if (!is_flat(k.collective)) return t.node;
  const bool spread = k.collective == "allgather" || k.collective == "reduce_scatter";
  return spread ? (*k.nodes - 1.0) / *k.nodes : 1;
}

/// Shares are fractions of the larger of a rank's two buffers.
bool is_known_size(const RunRecord& run, const CaseKey& k) {
  return run.method.size_rule == "larger_buffer" || facts_of(k.collective).one_size;
}

std::optional<Shape> shape_of(const CaseKey& k) {
  const int r = k.ranks_per_node ? *k.ranks_per_node : k.nodes == 1 ? k.ranks : 0;
  if (!k.nodes || *k.nodes < 1 || r < 1 || static_cast<double>(r) * *k.nodes != k.ranks) return std::nullopt;
  return Shape{.n = static_cast<double>(k.ranks), .nodes = static_cast<double>(*k.nodes), .r = static_cast<double>(r)};
}

/// The collective determines its traffic: NCCL only has send and receive for these; MPI libraries have other
/// algorithms.
Traffic point_to_point(const Rule& rule, const CaseRecord& c, const std::optional<Shape>& shape) {
  Traffic t{.algorithm = "point to point", .assumed = c.key.backend != "nccl"};
  if (!shape) {
    t.missing = uneven;
    return t;
  }
  t.node = rule.node(*shape);
  t.rank = rule.rank(*shape);
  return t;
}

Traffic by_rule(const Rule& rule, const std::string& algorithm, const std::optional<Shape>& shape) {
  Traffic t{.algorithm = algorithm};
  if (shape) {
    t.node = rule.node(*shape);
    t.rank = rule.rank(*shape);
  }
  if (!t.node || !t.rank) t.missing = shape ? "no model of what " + algorithm + " sends between nodes" : uneven;
  return t;
}

}  // namespace

Traffic traffic_of(const RunRecord& run, const CaseRecord& c) {
  const auto shape = shape_of(c.key);
  const std::string algorithm = algorithm_of(c), name = lower_case(algorithm, "_");
  const auto rule = std::ranges::find_if(
      rules, [&](const Rule& r) { return r.algorithm == name && r.collective == c.key.collective; });
  const auto direct = std::ranges::find(direct_rules, c.key.collective, &Rule::collective);
  Traffic t{.algorithm = algorithm, .assumed = true};
  if (c.key.collective == "sendrecv")
    t = neighbours(run, c);
  else if (c.key.kind == CaseKind::pair && facts_of(c.key.collective).between_pairs)
    t = of_pairs(run, c.key, shape);
  else if (direct != direct_rules.end())
    t = point_to_point(*direct, c, shape);
  else if (rule != rules.end())
    t = by_rule(*rule, algorithm, shape);
  else if (is_flat(c.key.collective))
    t = flat_ring(c);
  else
    t.missing = "no model of what " + c.key.collective + " sends";
  if (!is_known_size(run, c.key)) {
    t.node.reset();
    t.rank.reset();
    t.missing = "unknown whether sizes are per rank or in total (size_rule " + run.method.size_rule + ")";
  }
  if (c.key.nodes == 1) t.node = 0;
  if (c.key.nodes == c.key.ranks) t.rank = 0;
  t.node_least = least_of_node(c.key, t);
  return t;
}

}  // namespace busbar::expected
