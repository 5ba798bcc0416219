// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "reports/document/document.hpp"
#include "reports/expected/expected.hpp"

namespace busbar::expected {

/// A heading and a table for each series with a ceiling or wire rate, then the other series with what is missing.
[[nodiscard]] std::vector<report::Block> blocks_of(const std::vector<ExpectedSeries>&);

/// {"series": [...]}: the output of `busbar expect --format json`; docs/expected.md lists its keys.
[[nodiscard]] nlohmann::json json_of(const std::vector<ExpectedSeries>&);

}  // namespace busbar::expected
