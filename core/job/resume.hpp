// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/record/fwd.hpp"
#include "core/record/status.hpp"

/// What a launch has left to do that goes on with the record of an earlier one (--resume).
namespace busbar {

/// Cases of a program's plan, numbered from 0.
struct PlannedCases {
  int number = 0;
  bool together = false;  ///< each is held against the others of its rounds: where one is missing, all are measured
};

/// By the number of a case: how it ended where it need not be measured again. Those stay that ended by themselves, also
/// where they failed or were skipped for a reason of their own.
using KeptCases = std::vector<std::optional<Status>>;

/// What of a record stays.
[[nodiscard]] KeptCases kept_cases(const Run& run, const PlannedCases& planned);

/// How many of them.
[[nodiscard]] std::size_t number_of(const KeptCases& kept);

/// As a text of one letter a case, for messages between ranks, and back.
[[nodiscard]] std::string to_string(const KeptCases& kept);
[[nodiscard]] KeptCases kept_cases_of(const std::string& text);

/// Throws UsageError where `now` cannot go on with `run`: figures of one record are all taken by the same build, on the
/// same hosts, with the same options, libraries and settings of these. Names what differs, and both values.
void require_same(const Run& run, const RunRecord& now);

}  // namespace busbar
