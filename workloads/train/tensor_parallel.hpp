// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "workloads/compute/replay.hpp"
#include "workloads/train/trainee.hpp"

namespace busbar {

/// The matrices of each layer are divided among the ranks, who sum their parts of the activations, and of their
/// gradients, where the profile says so: two allreduces a block forward and two backward (M. Shoeybi et al.:
/// Megatron-LM, 2019). A layer takes a rank its share of the profile's time. `profile` outlives the result.
[[nodiscard]] MakeTrainee tensor_parallel(const Profile& profile, Pace pace);

/// Bytes that are summed in a step.
[[nodiscard]] std::uint64_t tensor_parallel_bytes(const Profile& profile);

}  // namespace busbar
