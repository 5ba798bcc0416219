// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "core/backend/collective.hpp"

/// busbw / algbw: data per link of a flat ring over the size. It makes busbw comparable with the speed of a link for
/// any number of ranks. Source: NVIDIA nccl-tests, doc/PERFORMANCE.md; for gather, scatter and sendrecv its sources
/// only. 0 for one rank, which sends nothing over a link.
namespace busbar::bus_factor {

[[nodiscard]] inline double once(int /*ranks*/) { return 1; }
[[nodiscard]] inline double all_but_own(int ranks) { return static_cast<double>(ranks - 1) / ranks; }
[[nodiscard]] inline double twice_all_but_own(int ranks) { return 2 * all_but_own(ranks); }

/// Uneven blocks: the most that a rank sends to or receives from others, over the size. 0 for size 0.
[[nodiscard]] inline double of_elements(std::size_t most, const Geometry& g) {
  return g.count == 0 ? 0 : static_cast<double>(most) / static_cast<double>(g.count);
}
/// The rank with the smallest block gets, or sends, all others.
[[nodiscard]] inline double all_but_smallest(const Geometry& g) {
  std::size_t smallest = g.count;
  for (int r = 0; r < g.ranks; ++r) smallest = std::min(smallest, g.size(r));
  return of_elements(g.count - smallest, g);
}
/// The root sends or receives all blocks but its own.
[[nodiscard]] inline double all_but_root(const Geometry& g) { return of_elements(g.count - g.size(g.root), g); }

}  // namespace busbar::bus_factor
