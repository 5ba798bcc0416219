// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "preflight/checks/findings.hpp"

namespace busbar::preflight {

/// Why NCCL was not tried: "not applicable" if no rank can use it, "unknown" with the ranks if some cannot. Empty: it
/// was tried.
[[nodiscard]] std::optional<CheckResult> without_nccl(const Facts&);

}  // namespace busbar::preflight
