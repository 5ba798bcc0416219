// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include <cuda_runtime.h>

/// Device code: grid-stride loops over a flat array, for one-dimensional grids.
namespace busbar::cuda {

__device__ inline std::uint64_t first_item() {
  return blockIdx.x * static_cast<std::uint64_t>(blockDim.x) + threadIdx.x;
}
__device__ inline std::uint64_t items_a_step() { return static_cast<std::uint64_t>(gridDim.x) * blockDim.x; }

}  // namespace busbar::cuda
