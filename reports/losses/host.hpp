// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/record/fwd.hpp"
#include "reports/explain/rule.hpp"

namespace busbar::losses {

/// A cause for computing that takes longer than in the baseline.
struct HostCause {
  explain::Certainty certainty = explain::Certainty::possible;
  std::string text;  ///< a sentence; empty: the record names none
};

/// What the record says of the CPUs and GPUs of a case and of its baseline: contention, pace, throttling, shared hosts.
[[nodiscard]] HostCause cause_of_computing(const CaseRecord&, const CaseRecord& baseline);

}  // namespace busbar::losses
