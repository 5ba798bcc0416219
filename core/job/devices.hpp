// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/backend/backend_facts.hpp"
#include "core/ranks/group.hpp"
#include "core/record/fwd.hpp"

namespace busbar {

/// Collective. What all ranks measure with: libraries and notes of rank 0, the device of each rank, whether ranks share
/// one, and what NVML knows of the GPUs of hosts that have such ranks; where NVML cannot be used, `run.notes` says why.
/// `hosts`: of each rank, as an index into `run.hosts`.
void describe_devices(Group& group, const BackendFacts& mine, const std::vector<int>& hosts, RunRecord& run);

}  // namespace busbar
