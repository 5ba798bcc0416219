// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "reports/document/document.hpp"
#include "reports/fit/fit.hpp"

namespace busbar::fit {

/// What a fit says: first what is assumed, then a table a sweep.
[[nodiscard]] std::vector<report::Block> blocks_of(const Fit&);

/// "ring", "ring (reported)", "tree or ring": the curves of a region, by weight.
[[nodiscard]] std::string algorithms_text(const Region&);

}  // namespace busbar::fit
