// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/case_key.hpp"
#include "core/record/fwd.hpp"

/// What may be held against what.
namespace busbar::compare {

/// Looks at all method fields but `across` of runs that have cases to compare. Throws UsageError where two runs say
/// different things: naming both, the fields, and --across. Returns notes about fields that only some runs tell.
[[nodiscard]] std::vector<std::string> check_methods(std::span<const Run* const>, std::span<const std::string> across);

/// Why cases of two sides do not join: the fields in which the two most alike keys differ, with both values, as
/// "memory (host vs device)". Empty where a side has no case at all.
[[nodiscard]] std::string nearest_difference(std::span<const CaseKey> a, std::span<const CaseKey> b);

/// Labels but `but` in which two runs differ: "platform (vm vs metal)" and, as what to do, "--pool platform".
/// Empty where they are alike.
[[nodiscard]] std::string label_difference(const RunRecord& a, const RunRecord& b, std::string_view but);

}  // namespace busbar::compare
