// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/case_key.hpp"
#include "core/record/fwd.hpp"

/// Named properties of cases and runs: arguments of `--by` and `--across`, fields that must match, and facts shown next
/// to a verdict. All values are display text; "" means unknown or not applicable.
namespace busbar::compare {

/// A part of a case's key.
struct KeyField {
  std::string_view name;
  std::string (*value)(const CaseKey&);
  void (*blank)(CaseKey&);  ///< clears the part, and those that depend on it
};
[[nodiscard]] std::span<const KeyField> key_fields();

/// A property of the measurement method: if runs differ in it, their times are not comparable.
struct MethodField {
  std::string_view name;
  std::function<std::string(const RunRecord&)> value;
};
/// The keys of Method marked as compared (core/record/fields/method.cpp), plus "lab" and "simulated".
[[nodiscard]] const std::vector<MethodField>& method_fields();

/// Relevance of a fact to a difference, highest first.
enum class Tier {
  machine,  ///< hardware: virtualisation, GPUs, network
  library,  ///< software: MPI, NCCL, driver
  setting,  ///< configuration: binding, variables
  system,   ///< other system state: kernel, clocks
};

/// A fact about the environment of a run.
struct FactField {
  std::string_view name;
  Tier tier = Tier::system;
  std::string (*value)(const RunRecord&);
};
[[nodiscard]] std::span<const FactField> fact_fields();

/// The unique names of all these fields, in order.
[[nodiscard]] std::vector<std::string> field_names();

/// A property that distinguishes runs or cases: its value for a case and, if it is part of the key, how to clear it.
struct Criterion {
  std::function<std::string(const Run&, const CaseRecord&)> value;  ///< empty: unknown for this case
  void (*blank)(CaseKey&) = [](CaseKey&) {};
};

/// Finds a label, a field, a library's version, an environment variable or the command of busbar repeat,
/// in this order. Throws UsageError, naming `flag`, if nothing has that name.
[[nodiscard]] Criterion find_criterion(std::string_view flag, const std::string& name, const std::vector<Run>& runs);

/// Iterator to the field of that name, or the end.
template <class Fields>
auto find_field(const Fields& fields, std::string_view name) {
  return std::ranges::find(fields, name, [](const auto& f) { return f.name; });
}

}  // namespace busbar::compare
