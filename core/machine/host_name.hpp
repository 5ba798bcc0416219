// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace busbar {

/// Of the host that this process runs on (gethostname).
[[nodiscard]] std::string host_name();

}  // namespace busbar
