// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/busy_kernels.hpp"

namespace busbar::cuda {

__global__ void keep_busy(std::uint32_t steps, std::uint32_t* sink) {
  std::uint32_t value = 2 * threadIdx.x + 1;
  for (std::uint32_t i = 0; i < steps; ++i) value = value * 1664525U + 1013904223U;
  if (value == 0) *sink = value;
}

}  // namespace busbar::cuda
