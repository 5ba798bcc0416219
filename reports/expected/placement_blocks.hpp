// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "reports/document/document.hpp"
#include "reports/expected/placement.hpp"

namespace busbar::expected {

/// For each run a sentence per placement and what is not comparable; then a folded table of the results with their
/// sources.
[[nodiscard]] std::vector<report::Block> blocks_of(const std::vector<RunPlacement>&);

[[nodiscard]] nlohmann::json json_of(const std::vector<RunPlacement>&);

}  // namespace busbar::expected
