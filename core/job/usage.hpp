// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/job/ranks.hpp"
#include "core/machine/usage.hpp"
#include "core/ranks/group.hpp"
#include "core/record/fwd.hpp"

namespace busbar {

/// Collective. Every rank tells what it got of its processor while the case was measured; each host is then judged by
/// all that it had to do. Fills in `usage` and `contention`.
void add_usage(Group& group, const Usage& mine, const Ranks& ranks, CaseRecord& record);

}  // namespace busbar
