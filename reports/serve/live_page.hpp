// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "reports/board/shell.hpp"

namespace busbar::serve {

/// The page of a record that is being written. It has no figures: its script asks for TOKEN/state.
[[nodiscard]] board::Shell live_page(const std::string& file);

}  // namespace busbar::serve
