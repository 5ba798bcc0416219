// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/record/fwd.hpp"

namespace busbar {

/// Warning of times over size that stand far from those of the sizes beside them: more than 10 times both, or less than
/// a fifth of both although the size is larger. Such a call was disturbed, or digits of its line are lost. The smallest
/// size of a series is left out: it is often slow. Empty if there is no such time.
[[nodiscard]] std::optional<std::string> warning_of_odd_times(const std::vector<CaseRecord>&);

}  // namespace busbar
