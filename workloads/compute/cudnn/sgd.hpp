// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cuda_runtime_api.h>

#include "workloads/compute/cudnn/kernels.hpp"

namespace busbar::gpu {

/// Elements [begin, end). The grid may be of any size, of 256 threads or more, since each end takes up to 7.
template <class G, class T>
__global__ void descend(SgdUpdate<G, T> call, std::uint64_t begin, std::uint64_t end);

}  // namespace busbar::gpu
