// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace busbar {

/// Name of this process's host (gethostname).
[[nodiscard]] std::string host_name();

}  // namespace busbar
