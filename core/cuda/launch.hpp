// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <tuple>

#include "core/cuda/stream.hpp"

namespace busbar::cuda {

/// Blocks of threads, one-dimensional.
struct Grid {
  unsigned blocks = 1, threads = 1;
  std::size_t shared_bytes = 0;  ///< dynamic shared memory of a block
};

/// Gives `kernel` to a stream. Kernels lie in .cu files that hold device code only; whoever launches them is C++.
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

/// A grid for kernels whose threads step through `items` by the size of the grid: enough to fill the device, no more
/// blocks than there is work.
[[nodiscard]] Grid grid_over(std::uint64_t items, unsigned threads = 256);

}  // namespace busbar::cuda
