// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/case_key.hpp"
#include "core/record/fwd.hpp"

namespace busbar::compare {

/// What tells runs or cases apart by name: its value for a case, and the part of the key that it is, if it is one.
struct Criterion {
  std::function<std::string(const Run&, const CaseRecord&)> value;  ///< empty: the case does not tell
  void (*blank)(CaseKey&) = [](CaseKey&) {};
};

/// A label, a field (fields.hpp), a library's version or a variable of the environment, looked for in this order.
/// Throws UsageError, naming `flag`, where nothing has that name.
[[nodiscard]] Criterion find_criterion(std::string_view flag, const std::string& name, const std::vector<Run>& runs);

}  // namespace busbar::compare
