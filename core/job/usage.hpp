// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/job/ranks.hpp"
#include "core/machine/usage.hpp"
#include "core/ranks/group.hpp"
#include "core/record/fwd.hpp"

namespace busbar {

/// Collective over the group. Gathers each rank's CPU usage of the case and finds contention per host, from all its
/// ranks. Sets `usage` and `contention`.
void add_usage(Group& group, const Usage& mine, const Ranks& ranks, CaseRecord& record);

}  // namespace busbar
