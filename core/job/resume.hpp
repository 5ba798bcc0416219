// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/record/fwd.hpp"
#include "core/record/status.hpp"

/// Remaining work of a launch that resumes the record of an earlier one (--resume).
namespace busbar {

/// A program's planned cases, numbered from 0.
struct PlannedCases {
  int number = 0;
  bool together = false;  ///< cases of a round are compared with each other: if one is missing, all are measured again
};

/// By case number: the status of a case that need not be measured again. Kept are cases that ended by themselves, also
/// if they failed or were skipped.
using KeptCases = std::vector<std::optional<Status>>;

/// The cases of a record to keep.
[[nodiscard]] KeptCases kept_cases(const Run& run, const PlannedCases& planned);

/// Number of kept cases.
[[nodiscard]] std::size_t number_of(const KeptCases& kept);

/// Converts to one letter per case, for messages between ranks, and back.
[[nodiscard]] std::string to_string(const KeptCases& kept);
[[nodiscard]] KeptCases kept_cases_of(const std::string& text);

/// Throws UsageError if `now` cannot resume `run`, with the difference and both values. All figures of a record must
/// have the same build, hosts, options, libraries and settings.
void require_same(const Run& run, const RunRecord& now);

}  // namespace busbar
