// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "reports/document/document.hpp"
#include "reports/expected/expected.hpp"

namespace busbar::expected {

/// A head and a table for each series of which anything is known, and the others with what is missing.
[[nodiscard]] std::vector<report::Block> blocks_of(const std::vector<ExpectedSeries>&);

}  // namespace busbar::expected
