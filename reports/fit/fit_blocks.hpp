// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "reports/document/document.hpp"
#include "reports/fit/fit.hpp"

namespace busbar::fit {

/// The fit as text and tables: the assumptions, then a table per sweep.
[[nodiscard]] std::vector<report::Block> blocks_of(const Fit&);

/// The curves of a region by weight: "ring", "ring (reported)", "tree 80 %, ring 20 %".
[[nodiscard]] std::string algorithms_text(const Region&);

}  // namespace busbar::fit
