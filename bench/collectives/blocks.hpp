// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/backend/collective.hpp"

/// Results and layouts shared by several collectives.
namespace busbar::blocks {

/// Block r comes from rank r, starting at element `from` of its send buffer.
[[nodiscard]] inline std::vector<Block> one_from_each(const Geometry& g, std::size_t from) {
  std::vector<Block> all;
  for (int r = 0; r < g.ranks; ++r) all.push_back({.at = g.block(r), .count = g.count, .source = r, .from = from});
  return all;
}

/// The whole buffer is one block.
[[nodiscard]] inline std::vector<Block> one(const Geometry& g, int source, std::size_t from = 0) {
  return {{.at = 0, .count = g.count, .source = source, .from = from}};
}

/// The root receives every rank's block, in rank order.
[[nodiscard]] inline std::vector<Block> at_root(const Geometry& g) {
  return g.rank == g.root ? one_from_each(g, 0) : std::vector<Block>{};
}
/// Buffers for at_root(). In place, the root's own block is already in its final position.
[[nodiscard]] inline Layout layout_at_root(const Geometry& g) {
  if (g.rank != g.root) return {.send = g.count};
  return {.send = g.count, .recv = g.all(), .send_at = g.block(g.root)};
}

/// Rank r receives block r of the reduction.
[[nodiscard]] inline std::vector<Block> own_reduced(const Geometry& g) {
  return one(g, Block::reduced, g.block(g.rank));
}
/// In place, the result replaces the block that was reduced, or the first one.
[[nodiscard]] inline Layout layout_of_own_reduced(const Geometry& g) {
  return {.send = g.all(), .recv = g.count, .recv_at = g.at_own_block ? g.block(g.rank) : 0};
}

}  // namespace busbar::blocks
