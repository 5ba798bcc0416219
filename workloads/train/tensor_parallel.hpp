// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "workloads/compute/replay.hpp"
#include "workloads/train/trainee.hpp"

namespace busbar {

/// Tensor parallelism: each layer's matrices are divided among the ranks, which sum partial activations and gradients
/// where the profile says so: two allreduces per block in forward and two in backward (M. Shoeybi et al.: Megatron-LM,
/// 2019). A layer takes a rank its share of the profile's time. `profile` must outlive the result.
[[nodiscard]] MakeTrainee tensor_parallel(const Profile& profile, Pace pace);

/// Bytes summed over ranks per step.
[[nodiscard]] std::uint64_t tensor_parallel_bytes(const Profile& profile);

}  // namespace busbar
