// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <compare>

namespace busbar::fit {

/// Ranks that take part and where they are.
struct Scale {
  int ranks = 1;  ///< n
  int nodes = 1;  ///< N; ranks are spread evenly, ordered by node

  [[nodiscard]] double per_node() const { return static_cast<double>(ranks) / nodes; }
  /// What messages go between: nodes where there are several, else ranks.
  [[nodiscard]] int places() const { return nodes > 1 ? nodes : ranks; }

  friend auto operator<=>(const Scale&, const Scale&) = default;
};

}  // namespace busbar::fit
