// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "core/backend/backend.hpp"

namespace busbar {

/// The backend of BackendOptions::plugin, which its make() loads. `name` must outlive it.
[[nodiscard]] BackendFactory plugin_backend(std::string_view name);

}  // namespace busbar
