// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <compare>

namespace busbar::fit {

/// Number and distribution of ranks.
struct Scale {
  int ranks = 1;  ///< n
  int nodes = 1;  ///< N; ranks are evenly distributed and ordered by node

  [[nodiscard]] double per_node() const { return static_cast<double>(ranks) / nodes; }
  /// Endpoints of messages: nodes if there are several, else ranks.
  [[nodiscard]] int places() const { return nodes > 1 ? nodes : ranks; }
  /// Other nodes with as many ranks on each.
  [[nodiscard]] Scale on(int other_nodes) const {
    return {.ranks = static_cast<int>(std::lround(other_nodes * per_node())), .nodes = other_nodes};
  }

  friend auto operator<=>(const Scale&, const Scale&) = default;
};

}  // namespace busbar::fit
