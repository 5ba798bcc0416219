// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/error.hpp"
#include "tests/fuzz/require.hpp"

namespace busbar::fuzz {

/// Calls `take`, which may refuse its input: by a UsageError that says something, and by nothing else.
void may_refuse(const auto& take) {
  try {
    take();
  } catch (const UsageError& e) {
    require(*e.what() != '\0', "a refusal without a word");
  }
}

}  // namespace busbar::fuzz
