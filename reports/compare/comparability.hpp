// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/case_key.hpp"
#include "core/record/fwd.hpp"

/// Checks which runs and cases can be compared.
namespace busbar::compare {

/// Compares all method fields except `across`. Throws UsageError if two runs contradict each other, naming both runs,
/// the fields and --across. Returns notes about fields that only some runs know.
[[nodiscard]] std::vector<std::string> check_methods(std::span<const Run* const>, std::span<const std::string> across);

/// Why no cases of two sides match: the fields in which the two most similar keys differ, with both values: "memory
/// (host vs device)". Empty if a side has no cases.
[[nodiscard]] std::string nearest_difference(std::span<const CaseKey> a, std::span<const CaseKey> b);

/// Labels except `but` in which two runs differ, and the remedy: "platform (vm vs metal); to compare them anyway, add
/// --pool platform". Empty if all are equal.
[[nodiscard]] std::string label_difference(const RunRecord& a, const RunRecord& b, std::string_view but);

}  // namespace busbar::compare
