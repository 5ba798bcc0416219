// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "core/ranks/group.hpp"
#include "workloads/compute/cudnn/engine.hpp"
#include "workloads/networks/fusion.hpp"
#include "workloads/train/trainee.hpp"

namespace busbar::gpu {

struct TraineeSetup {
  FusionLimits fusion;
  bool overlap = true;             ///< reduce each bucket when it is complete; otherwise all after backward
  bool graphs = true;              ///< launch a step as one CUDA graph, if it can be captured
  bool time_layers = false;        ///< keep_times(true) also times layers, outside of steps
  double timeout_s = 0;            ///< limit of each wait for other ranks; 0: none
  std::uint64_t before_bytes = 0;  ///< GPU memory in use before anything was built
};

/// Trains a replica on this rank's GPU: backward on one stream, NCCL reductions of buckets on another, the update when
/// all are done. The host synchronises with the device once per step. Collective over `team`: creates an NCCL
/// communicator if it has several ranks.
[[nodiscard]] std::unique_ptr<Trainee> make_trainee(std::shared_ptr<NetworkEngine> engine, std::unique_ptr<Group> team,
                                                    const TraineeSetup& setup);

}  // namespace busbar::gpu
