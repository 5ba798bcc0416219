// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "reports/expected/expected.hpp"

namespace busbar::expected {

/// {"series": [...]}: the output of `busbar expect --format json`; docs/expected.md lists its keys.
[[nodiscard]] nlohmann::json json_of(const std::vector<ExpectedSeries>&);

}  // namespace busbar::expected
