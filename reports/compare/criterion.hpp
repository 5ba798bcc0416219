// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/case_key.hpp"
#include "core/record/fwd.hpp"

namespace busbar::compare {

/// A property that distinguishes runs or cases: its value for a case and, if it is part of the key, how to clear it.
struct Criterion {
  std::function<std::string(const Run&, const CaseRecord&)> value;  ///< empty: unknown for this case
  void (*blank)(CaseKey&) = [](CaseKey&) {};
};

/// Finds a label, a field (fields.hpp), a library's version, an environment variable or the command of busbar repeat,
/// in this order. Throws UsageError, naming `flag`, if nothing has that name.
[[nodiscard]] Criterion find_criterion(std::string_view flag, const std::string& name, const std::vector<Run>& runs);

}  // namespace busbar::compare
