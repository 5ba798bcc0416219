// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string_view>

#include "core/base/enum_words.hpp"

namespace busbar::predict {

using busbar::name;

/// The network between the nodes, as far as it decides whether messages share links.
enum class Topology {
  unknown,
  single_switch,     ///< no link is shared
  fat_tree,          ///< as many links up as down
  tapered_fat_tree,  ///< fewer links up than down
  dragonfly,
  torus,
};
[[nodiscard]] constexpr auto words_of(Topology) {
  return std::to_array<std::string_view>(
      {"unknown", "single-switch", "fat-tree", "tapered-fat-tree", "dragonfly", "torus"});
}

/// The family in words as busbar platform takes them: "fat-tree:2-level", "dragonfly". Throws UsageError naming
/// --topology otherwise.
[[nodiscard]] Topology parse_topology(std::string_view text);

/// Who else sends while the collective runs.
enum class Traffic {
  other_jobs,  ///< as on a machine that several jobs share
  alone,       ///< nobody
};

/// Contention that a prediction allows for.
struct Contention {
  Topology topology = Topology::unknown;
  Traffic traffic = Traffic::other_jobs;
};

/// How much of the slowdown that public logs show on more nodes (reports/predict/extrapolation.cpp) is to be expected,
/// from 0 to 1. Where links are shared, all of it; on a single switch nothing; on a fat tree with as many links up as
/// down half, by convention: fixed routes collide there too (T. Hoefler, T. Schneider, A. Lumsdaine: Multistage
/// Switches are not Crossbars, CLUSTER 2008). Alone on the network, only algorithms in which every node sends to every
/// other get slower, since neighbours in a ring or tree need not share links.
[[nodiscard]] double share_of_slowdown(const Contention&, std::string_view collective, std::string_view algorithm);

}  // namespace busbar::predict
