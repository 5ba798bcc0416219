// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "reports/document/document.hpp"
#include "reports/predict/prediction.hpp"

namespace busbar::predict {

/// Tables of a prediction's variants beside the machine as it is, and of their costs if there is a price. Empty without
/// variants and price.
[[nodiscard]] std::vector<report::Block> variant_tables(const Prediction&);

/// Figures of the same, then the tables.
[[nodiscard]] std::vector<report::Block> variant_blocks(const Prediction&);

}  // namespace busbar::predict
