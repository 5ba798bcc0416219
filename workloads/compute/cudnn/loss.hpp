// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cuda_runtime_api.h>

#include "workloads/compute/cudnn/columns.hpp"
#include "workloads/compute/cudnn/kernels.hpp"

namespace busbar::gpu {

inline constexpr unsigned loss_threads = 256;

/// One block of loss_threads per image. The last block to finish adds up the losses.
template <class T>
__global__ void cross_entropy(const T* scores, const std::int32_t* labels, std::uint32_t classes, float loss_scale,
                              T* dscores, float* loss, void* scratch);

}  // namespace busbar::gpu
