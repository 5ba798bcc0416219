// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/record/fwd.hpp"

namespace busbar::serve {

/// Charts of a run over message size, one per collective: busbw, or time where there is none, with intervals. Each is
/// {"title", "caption", "svg", "legend": [{"label", "colour"}]}; "svg" is markup whose texts are escaped. `runs` has
/// one run. Empty without sizes.
[[nodiscard]] nlohmann::json live_charts(const std::vector<Run>& runs);

}  // namespace busbar::serve
