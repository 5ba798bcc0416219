// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "workloads/compute/replay.hpp"
#include "workloads/train/worker.hpp"

namespace busbar {

/// Takes the time that a profile says. Throws std::bad_alloc.
[[nodiscard]] std::unique_ptr<Worker> make_replay_worker(const Profile& profile, int rank, Pace pace);

}  // namespace busbar
