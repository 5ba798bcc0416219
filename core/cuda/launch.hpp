// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <tuple>

#include "core/cuda/stream.hpp"

namespace busbar::cuda {

/// One-dimensional blocks of threads.
struct Grid {
  unsigned blocks = 1, threads = 1;
  std::size_t shared_bytes = 0;  ///< dynamic shared memory per block
};

/// Enqueues `kernel` on a stream. Throws Error. Kernels are in .cu files of device code only; C++ code launches them.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), const Grid& grid, const Stream& on, Arguments... arguments) {
  std::tuple<Parameters...> values{static_cast<Parameters>(arguments)...};
  std::apply(
      [&](auto&... value) {
        std::array<void*, sizeof...(Parameters)> pointers{static_cast<void*>(&value)...};
        check(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(grid.blocks), dim3(grid.threads),
                               pointers.data(), grid.shared_bytes, on.handle()),
              "cudaLaunchKernel");
      },
      values);
}

/// Grid for kernels with grid-stride loops over `items`: fills the device, with no more blocks than needed.
[[nodiscard]] Grid grid_over(std::uint64_t items, unsigned threads = 256);

}  // namespace busbar::cuda
