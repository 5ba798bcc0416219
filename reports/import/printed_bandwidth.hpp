// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "reports/import/text_lines.hpp"

namespace busbar {

/// False where a printed bandwidth cannot be bytes / time, however the two were rounded.
[[nodiscard]] bool may_be_bandwidth(const Rounded& GBps, double bytes, const Rounded& time_s);

}  // namespace busbar
