// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "reports/document/document.hpp"
#include "reports/fit/fit.hpp"

namespace busbar::fit {

/// The fit as text and tables: the assumptions, then a table per sweep.
[[nodiscard]] std::vector<report::Block> blocks_of(const Fit&);

}  // namespace busbar::fit
