// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdexcept>
#include <string>

namespace busbar::fuzz {

/// Throws std::logic_error, which no target catches.
inline void require(bool good, const std::string& what) {
  if (!good) throw std::logic_error(what);
}

}  // namespace busbar::fuzz
