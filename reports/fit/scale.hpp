// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <compare>

namespace busbar::fit {

/// Number and distribution of ranks.
struct Scale {
  int ranks = 1;  ///< n
  int nodes = 1;  ///< N; ranks are evenly distributed and ordered by node

  [[nodiscard]] double per_node() const { return static_cast<double>(ranks) / nodes; }
  /// Endpoints of messages: nodes if there are several, else ranks.
  [[nodiscard]] int places() const { return nodes > 1 ? nodes : ranks; }

  friend auto operator<=>(const Scale&, const Scale&) = default;
};

}  // namespace busbar::fit
