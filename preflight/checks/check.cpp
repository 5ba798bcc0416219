// SPDX-License-Identifier: Apache-2.0
#include "preflight/checks/check.hpp"

#include <algorithm>
#include <array>

namespace busbar::preflight {

std::string_view name(State s) {
  static constexpr std::array<std::string_view, 5> names{"ok", "not applicable", "unknown", "warning", "failed"};
  return names[static_cast<std::size_t>(s)];
}

State worst(const std::vector<CheckResult>& findings) {
  State state = State::ok;
  for (const CheckResult& f : findings) state = std::max(state, f.state);
  return state;
}

}  // namespace busbar::preflight
