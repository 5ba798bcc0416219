// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/backend/collective.hpp"

/// Results and layouts shared by several collectives.
namespace busbar::blocks {

/// Block r comes from rank r, starting at element `from` of its send buffer.
[[nodiscard]] inline std::vector<Block> one_from_each(const Geometry& g, std::size_t from) {
  std::vector<Block> all;
  for (int r = 0; r < g.ranks; ++r) all.push_back({.at = g.block(r), .count = g.size(r), .source = r, .from = from});
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
  if (g.rank != g.root) return {.send = g.size(g.rank)};
  return {.send = g.size(g.rank), .recv = g.all(), .send_at = g.block(g.root)};
}

/// Rank r receives block r of the reduction.
[[nodiscard]] inline std::vector<Block> own_reduced(const Geometry& g) {
  return {{.at = 0, .count = g.size(g.rank), .source = Block::reduced, .from = g.block(g.rank)}};
}
/// In place, the result replaces the block that was reduced, or the first one.
[[nodiscard]] inline Layout layout_of_own_reduced(const Geometry& g) {
  return {.send = g.all(), .recv = g.size(g.rank), .recv_at = g.at_own_block ? g.block(g.rank) : 0};
}

/// Every rank's block goes to all ranks.
[[nodiscard]] inline Layout layout_of_gathered(const Geometry& g) {
  return {.send = g.size(g.rank), .recv = g.all(), .send_at = g.block(g.rank)};
}

/// Every rank gets a block of the root's buffer.
[[nodiscard]] inline Layout layout_from_root(const Geometry& g) {
  if (g.rank != g.root) return {.recv = g.size(g.rank)};
  return {.send = g.all(), .recv = g.size(g.rank), .recv_at = g.block(g.root)};
}
[[nodiscard]] inline std::vector<Block> own_from_root(const Geometry& g) {
  return {{.at = 0, .count = g.size(g.rank), .source = g.root, .from = g.block(g.rank)}};
}

}  // namespace busbar::blocks
