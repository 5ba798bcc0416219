// SPDX-License-Identifier: Apache-2.0
#include "reports/fit/algorithm.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace busbar::fit {
namespace {

double others(int n) { return n - 1.0; }
double share_of_others(int n) { return (n - 1.0) / n; }
double doublings(int n) { return n > 1 ? std::ceil(std::log2(n) - 1e-9) : 0; }

// Pieces
double one(const Scale&) { return 1; }
double each_rank(const Scale& s) { return s.ranks; }
double each_place(const Scale& s) { return s.places(); }

// Steps
/// Each block passes all but one of the ring's hops. With several ranks on a node, some blocks pass every hop between
/// nodes, and the call waits for these.
double steps_around(const Scale& s) { return s.nodes > 1 && s.ranks > s.nodes ? s.nodes : others(s.places()); }
double twice_around(const Scale& s) { return 2 * steps_around(s); }
double up(const Scale& s) { return doublings(s.places()); }
double up_and_down(const Scale& s) { return 2 * up(s); }
double levels(const Scale& s) { return std::floor(std::log2(s.places()) + 1e-9); }  // of a binary tree below its root
double levels_of_four(const Scale& s) { return std::ceil(std::log2(s.places()) / 2 - 1e-9); }
double up_and_around(const Scale& s) { return up(s) + steps_around(s); }
double to_each(const Scale& s) { return s.nodes > 1 ? s.ranks - s.per_node() : others(s.ranks); }

// Volumes. If each of a node's p ranks has a partner on another node, the node sends p times as much as a rank.
double lanes(const Scale& s) { return s.nodes > 1 ? s.per_node() : 1; }
double ring(const Scale& s) { return share_of_others(s.ranks); }
double two_rings(const Scale& s) { return 2 * ring(s); }
double between_places(const Scale& s) { return share_of_others(s.places()); }
double twice_between_places(const Scale& s) { return 2 * between_places(s); }
double shares_of_lanes(const Scale& s) { return lanes(s) * between_places(s); }
double twice_shares_of_lanes(const Scale& s) { return 2 * shares_of_lanes(s); }
double each_doubling(const Scale& s) { return doublings(s.places()); }
double each_doubling_of_lanes(const Scale& s) { return lanes(s) * doublings(s.places()); }
double half_each_doubling_of_lanes(const Scale& s) { return 0.5 * each_doubling_of_lanes(s); }
double double_tree(const Scale& s) { return std::min(0.5 * s.places(), 2.0); }
double twice_each_level(const Scale& s) { return 2 * levels(s); }
double thrice_each_level(const Scale& s) { return 3 * levels_of_four(s); }
double each_hop(const Scale& s) { return others(s.places()); }
double roots(const Scale& s) { return s.nodes > 1 ? (s.ranks - s.per_node()) / s.ranks : share_of_others(s.ranks); }

constexpr std::array rows{
    Algorithm{"allreduce", "ring", true, twice_around, two_rings, each_rank},
    Algorithm{"allreduce", "tree", true, up_and_down, double_tree, one},
    Algorithm{"allreduce", "recursive doubling", false, up, each_doubling_of_lanes, one},
    Algorithm{"allreduce", "reduce-scatter and allgather", false, up_and_down, twice_shares_of_lanes, one},
    Algorithm{"allreduce", "hierarchical ring", false, twice_around, twice_between_places, each_place},
    Algorithm{"allgather", "ring", true, steps_around, ring, each_rank},
    Algorithm{"allgather", "recursive doubling", false, up, shares_of_lanes, one},
    Algorithm{"allgather", "hierarchical ring", false, steps_around, between_places, each_place},
    Algorithm{"reduce_scatter", "ring", true, steps_around, ring, each_rank},
    Algorithm{"reduce_scatter", "recursive halving", false, up, shares_of_lanes, one},
    Algorithm{"reduce_scatter", "hierarchical ring", false, steps_around, between_places, each_place},
    Algorithm{"broadcast", "ring", true, steps_around, one, one},
    Algorithm{"broadcast", "binomial tree", false, up, each_doubling, one},
    Algorithm{"broadcast", "scatter and allgather", false, up_and_around, two_rings, one},
    Algorithm{"reduce", "ring", true, steps_around, one, one},
    Algorithm{"reduce", "binomial tree", false, up, each_doubling, one},
    Algorithm{"reduce", "reduce-scatter and gather", false, up_and_down, twice_shares_of_lanes, one},
    Algorithm{"alltoall", "pairwise", true, to_each, shares_of_lanes, each_rank},
    Algorithm{"alltoall", "bruck", false, up, half_each_doubling_of_lanes, one},
    Algorithm{"gather", "linear", true, to_each, roots, each_rank},
    Algorithm{"gather", "binomial tree", false, up, roots, one},
    Algorithm{"scatter", "linear", true, to_each, roots, each_rank},
    Algorithm{"scatter", "binomial tree", false, up, roots, one},
    Algorithm{"sendrecv", "one message", true, one, one, one},
};

/// Of MPI libraries: tried only where a library's own rules choose them (reports/libraries).
constexpr std::array rows_of_rules{
    Algorithm{"allreduce", "hierarchical recursive doubling", false, up, each_doubling, one},
    Algorithm{"allreduce", "hierarchical reduce-scatter and allgather", false, up_and_down, twice_between_places, one},
    Algorithm{"broadcast", "linear", false, to_each, to_each, one},
    Algorithm{"broadcast", "chain of whole messages", false, steps_around, each_hop, one},
    Algorithm{"broadcast", "binary tree", false, levels, twice_each_level, one},
    Algorithm{"broadcast", "4-nomial tree", false, levels_of_four, thrice_each_level, one},
    Algorithm{"broadcast", "scatter and recursive doubling", false, up_and_down, twice_between_places, one},
    Algorithm{"reduce", "linear", false, to_each, to_each, one},
    Algorithm{"reduce", "chain of whole messages", false, steps_around, each_hop, one},
    Algorithm{"reduce", "binary tree", false, levels, twice_each_level, one},
    Algorithm{"reduce", "hierarchical reduce-scatter and gather", false, up_and_down, twice_between_places, one},
};

}  // namespace

std::vector<const Algorithm*> algorithms_of(std::string_view collective, std::string_view backend) {
  std::vector<const Algorithm*> some;
  for (const Algorithm& a : rows)
    if (a.collective == collective && (a.of_nccl || backend != "nccl")) some.push_back(&a);
  return some;
}

bool sends_at_once(const Algorithm& a) { return a.name == "pairwise" || a.name == "linear"; }

const Algorithm* algorithm_named(std::string_view collective, std::string_view name) {
  const auto is_it = [&](const Algorithm& a) { return a.collective == collective && a.name == name; };
  if (const auto at = std::ranges::find_if(rows, is_it); at != rows.end()) return &*at;
  const auto at = std::ranges::find_if(rows_of_rules, is_it);
  return at == rows_of_rules.end() ? nullptr : &*at;
}

}  // namespace busbar::fit
