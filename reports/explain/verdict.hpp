// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "core/record/fwd.hpp"

namespace busbar::explain {

/// One sentence on a sweep over sizes: its result, and whether that is as expected. The judgement uses the rules of
/// `explain`, the lowest known ceiling, and earlier launches (EndRecord::over_earlier). "allreduce: 0.21 us at 8 B,
/// busbw up to 46 GB/s at 1 GiB, 92 % of what the network between nodes allows: as expected, like 12 earlier launches
/// (ratio 1.02)", or "...: suspicious: 3 of 8 ranks are not bound to CPUs". With work beside calls: which share of the
/// largest call is hidden. Empty for a single size or if cases differ
/// in more than size. Needs neither run.end nor the samples of run.cases.
[[nodiscard]] std::optional<std::string> verdict(const Run& run, const std::optional<OverEarlier>& over);

}  // namespace busbar::explain
