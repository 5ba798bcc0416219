// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cuda_runtime_api.h>

#include "workloads/compute/cudnn/kernels.hpp"

namespace busbar::gpu {

/// Updates elements [begin, end). Any grid size with at least 256 threads: each unaligned end has up to 7 elements.
template <class G, class T>
__global__ void descend(SgdUpdate<G, T> call, std::uint64_t begin, std::uint64_t end);

}  // namespace busbar::gpu
