// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace busbar {

/// Of a build without SimGrid: what was missing, in words for users. Written by scripts/cmake/SimGrid.cmake.
[[nodiscard]] const char* simgrid_missing();

}  // namespace busbar
