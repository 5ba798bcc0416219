// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include <cuda_runtime_api.h>

namespace busbar::cuda {

/// Keeps each thread busy for `steps` dependent multiplications. Writes to *sink only if a result is 0, so that the
/// compiler keeps the loop.
__global__ void keep_busy(std::uint32_t steps, std::uint32_t* sink);

}  // namespace busbar::cuda
