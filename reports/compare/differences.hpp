// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/record/fwd.hpp"
#include "reports/compare/comparison.hpp"

namespace busbar::compare {

/// Something in which the environments of sides differ.
struct Difference {
  std::string name;
  std::vector<std::string> values;  ///< a row a side: what its runs say, each answer once; "unknown" where none does
};

/// All of them, most telling first: how it was measured (where that was allowed to differ), machines, libraries,
/// settings, and what else there was. What no side tells, or all the same, is left out.
[[nodiscard]] std::vector<Difference> differences(const std::vector<Run>&, const Request&);

}  // namespace busbar::compare
