// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/collective.hpp"

/// Results that several collectives share.
namespace busbar::blocks {

/// Block r comes from rank r, each from element `from` of what that rank sent.
[[nodiscard]] inline std::vector<Block> one_from_each(const Geometry& g, std::size_t from) {
  std::vector<Block> all;
  for (int r = 0; r < g.ranks; ++r) all.push_back({.at = g.block(r), .count = g.count, .source = r, .from = from});
  return all;
}

/// The whole buffer is one block.
[[nodiscard]] inline std::vector<Block> one(const Geometry& g, int source, std::size_t from = 0) {
  return {{.at = 0, .count = g.count, .source = source, .from = from}};
}

}  // namespace busbar::blocks
