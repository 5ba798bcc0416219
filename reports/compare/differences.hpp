// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/record/fwd.hpp"
#include "reports/compare/comparison.hpp"

namespace busbar::compare {

/// A fact in which the environments of the sides differ.
struct Difference {
  std::string name;
  std::vector<std::string> values;  ///< one per side: the distinct values of its runs; "unknown" if none has one
};

/// All differences, most relevant first: method (where allowed to differ), machines, libraries, settings, and others.
/// Facts that no side knows or that are equal on all sides are left out.
[[nodiscard]] std::vector<Difference> differences(const std::vector<Run>&, const Request&);

}  // namespace busbar::compare
