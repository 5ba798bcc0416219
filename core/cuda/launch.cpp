// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/launch.hpp"

#include <algorithm>

namespace busbar::cuda {

Grid grid_over(std::uint64_t items, unsigned threads) {
  constexpr std::uint64_t resident_threads = 2048;  // per multiprocessor, NVIDIA CUDA Programming Guide, appendix K
  int device = 0, multiprocessors = 1;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
  const std::uint64_t most = static_cast<std::uint64_t>(multiprocessors) * (resident_threads / threads);
  return {.blocks = static_cast<unsigned>(std::clamp<std::uint64_t>((items + threads - 1) / threads, 1, most)),
          .threads = threads};
}

}  // namespace busbar::cuda
