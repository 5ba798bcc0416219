// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "core/ranks/group.hpp"
#include "workloads/compute/cudnn/engine.hpp"
#include "workloads/reducer/fusion.hpp"
#include "workloads/train/trainee.hpp"

namespace busbar::gpu {

struct TraineeSetup {
  FusionLimits fusion;
  bool overlap = true;             ///< a bucket is reduced when it is complete; else all of them after backward
  bool graphs = true;              ///< a step is one CUDA graph, where it can be captured
  bool time_layers = false;        ///< keep_times(true) also times layers, outside of steps
  double timeout_s = 0;            ///< for each wait on other ranks; 0: none
  std::uint64_t before_bytes = 0;  ///< of the GPU's memory that were in use before anything was built
};

/// A rank that trains a replica on its GPU: backward on one stream, reductions of buckets by NCCL on another, the
/// update when all are done. The host looks at the device once a step. Collective over `team`: makes NCCL's
/// communicator, if there are several ranks.
[[nodiscard]] std::unique_ptr<Trainee> make_trainee(std::shared_ptr<NetworkEngine> engine, std::unique_ptr<Group> team,
                                                    const TraineeSetup& setup);

}  // namespace busbar::gpu
