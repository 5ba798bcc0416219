// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdexcept>
#include <string>

#include "core/error.hpp"

namespace busbar::fuzz {

/// Throws std::logic_error, which no target catches.
inline void require(bool good, const std::string& what) {
  if (!good) throw std::logic_error(what);
}

/// Calls `take`, which may refuse its input: only by a UsageError that has a message.
void may_refuse(const auto& take) {
  try {
    take();
  } catch (const UsageError& e) {
    require(*e.what() != '\0', "a refusal without a message");
  }
}

}  // namespace busbar::fuzz
