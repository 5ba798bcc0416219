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

/// What cases and runs can differ in, by name: what `--by` and `--across` take, what has to agree, and what is told
/// beside a verdict. All values are words for people; "" stands for what does not apply or is not known.
namespace busbar::compare {

/// A part of the key of a case.
struct KeyField {
  std::string_view name;
  std::string (*value)(const CaseKey&);
  void (*blank)(CaseKey&);  ///< takes it, and what goes with it, out of a key
};
[[nodiscard]] std::span<const KeyField> key_fields();

/// How numbers were taken: where two runs differ in this, "time" means two things.
struct MethodField {
  std::string_view name;
  std::function<std::string(const RunRecord&)> value;
};
/// The keys of Method that say so themselves (core/record/fields/method.cpp), and two facts that count as much.
[[nodiscard]] const std::vector<MethodField>& method_fields();

/// How much a fact tells about a difference, most first.
enum class Tier {
  machine,  ///< what it ran on: virtualisation, GPUs, network
  library,  ///< what did the work: MPI, NCCL, driver
  setting,  ///< how it was told to: binding, variables
  system,   ///< what else was there: kernel, clocks
};

/// A fact about where a run ran.
struct FactField {
  std::string_view name;
  Tier tier = Tier::system;
  std::string (*value)(const RunRecord&);
};
[[nodiscard]] std::span<const FactField> fact_fields();

/// The names of all of these, in order, each once.
[[nodiscard]] std::vector<std::string> field_names();

/// Where the field of that name is; the end where there is none.
template <class Fields>
auto find_field(const Fields& fields, std::string_view name) {
  return std::ranges::find(fields, name, [](const auto& f) { return f.name; });
}

}  // namespace busbar::compare
