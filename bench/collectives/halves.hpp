// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "bench/collectives/blocks.hpp"
#include "core/backend/collective.hpp"

/// Pairs of ranks: rank i of the first half and rank i of the second. With an odd number of ranks, the last is its own
/// peer.
namespace busbar::halves {

[[nodiscard]] inline Peers opposite(const Geometry& g) {
  const int half = g.ranks / 2;
  const int other = g.rank < half ? g.rank + half : g.rank < 2 * half ? g.rank - half : g.rank;
  return {.to = other, .from = other};
}

[[nodiscard]] inline bool is_first(const Geometry& g) { return g.rank < g.ranks / 2; }
[[nodiscard]] inline bool is_second(const Geometry& g) { return !is_first(g) && opposite(g).to != g.rank; }

/// The messages of the peer: one block each.
[[nodiscard]] inline std::vector<Block> from_peer(const Geometry& g) {
  std::vector<Block> all;
  for (int i = 0; i < g.window; ++i)
    all.push_back({.at = g.block(i), .count = g.count, .source = opposite(g).from, .from = g.block(i)});
  return all;
}

/// Every rank of a pair sends and receives.
[[nodiscard]] inline Layout both_ways(const Geometry& g) {
  return is_first(g) || is_second(g) ? Layout{.send = g.messages(), .recv = g.messages()} : Layout{};
}
[[nodiscard]] inline std::vector<Block> received_by_both(const Geometry& g) {
  return is_first(g) || is_second(g) ? from_peer(g) : std::vector<Block>{};
}

/// The data moves from the first half to the second.
[[nodiscard]] inline Layout to_second(const Geometry& g) {
  return {.send = is_first(g) ? g.messages() : 0, .recv = is_second(g) ? g.messages() : 0};
}
[[nodiscard]] inline std::vector<Block> received_by_second(const Geometry& g) {
  return is_second(g) ? from_peer(g) : std::vector<Block>{};
}

[[nodiscard]] inline int each_message(int window) { return window; }
[[nodiscard]] inline int each_message_both_ways(int window) { return 2 * window; }
[[nodiscard]] inline int each_way(int /*window*/) { return 2; }

}  // namespace busbar::halves
