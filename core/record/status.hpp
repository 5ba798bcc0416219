// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace busbar {

enum class Status { ok, skipped, failed };

[[nodiscard]] std::string_view name(Status);

}  // namespace busbar
