// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/backend/backend_facts.hpp"
#include "core/ranks/group.hpp"
#include "core/record/fwd.hpp"

namespace busbar {

/// Collective over the group. Describes the devices of all ranks: libraries and notes of rank 0, each rank's device,
/// whether ranks share a device, and NVML's facts on hosts whose ranks use a GPU. If NVML fails, `run.notes` says why.
/// `hosts`: index of each rank's host in `run.hosts`.
void describe_devices(Group& group, const BackendFacts& mine, const std::vector<int>& hosts, RunRecord& run);

}  // namespace busbar
