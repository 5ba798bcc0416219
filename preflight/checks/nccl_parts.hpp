// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {

/// Why NCCL was not tried: no rank can, which is how it is; or some cannot, who are named. Empty: it was.
[[nodiscard]] std::optional<Finding> without_nccl(const Facts&);

}  // namespace busbar::preflight
