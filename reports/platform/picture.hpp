// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "reports/document/document.hpp"
#include "reports/platform/platform.hpp"

namespace busbar::platform {

/// The network and one node of a platform. Of what is too much to draw, the first are, and the picture says how many.
/// The table beside it has a row a level: how many there are, and what joins it to the next one.
[[nodiscard]] report::Diagram picture_of(const PlatformSpec&);

}  // namespace busbar::platform
