// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "reports/document/document.hpp"
#include "reports/platform/platform.hpp"

namespace busbar::platform {

/// Draws the network and one node of a platform. If there are too many elements, it draws the first ones and states the
/// total. The table has one row per level: its element count and its links to the next level.
[[nodiscard]] report::Diagram picture_of(const PlatformSpec&);

}  // namespace busbar::platform
